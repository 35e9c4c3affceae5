import type { Contract } from "tenon/core/model";
import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import {
  type DocsFile,
  RELOAD_SCRIPT,
  toBrowserScript,
  toContractScript,
  toPage,
  toScript,
  toStyleSheet,
} from "../assets/docs-file.js";
import { createPolicy } from "../assets/page-policy.js";
import { listOrigins } from "./addresses.js";

export interface ConsoleOptions {
  /** Address of the running service, relative to the page's origin or absolute. Default: one of the contract's servers. */
  readonly service?: string | undefined;
  /**
   * Origins that the console may call besides the page's own, the service's and those of the contract's servers:
   * `http://localhost:3000`, or `http://localhost:*` for any port. Default: none.
   */
  readonly callable?: readonly string[];
  /** The page loads itself again when the service was restarted. Default: false. */
  readonly reload?: boolean;
}

/**
 * Creates the page on which calls are tried, and its files: `try.html`, `try.css`, `try.js` and the contract as it is. Everything
 * in the page but its frame is made by its script.
 */
export function createConsoleFiles(
  document: object,
  contract: Contract,
  { service, callable, reload = false }: ConsoleOptions,
): readonly DocsFile[] {
  const origins = listCallable(contract, service, callable);
  const policy = createConsolePolicy(origins);
  const page = createHtmlPage({
    title: `Try ${contract.title} ${contract.version}`,
    policy,
    head: `<meta name="referrer" content="no-referrer">
<link rel="stylesheet" href="try.css">
<script src="theme.js"></script>
`,
    body: `<div id="console" data-origins="${escapeMarkup(origins.join(" "))}"${service === undefined ? "" : ` data-service="${escapeMarkup(service)}"`}>
<noscript>
This page needs JavaScript. It calls the operations of <a href="openapi.yaml">openapi.yaml</a>.
</noscript>
</div>
<script src="try-contract.js"></script>
<script src="try.js"></script>
${reload ? `<script src="${RELOAD_SCRIPT}"></script>\n` : ""}`,
  });
  return [
    toPage("try.html", page, policy),
    toStyleSheet("try.css", "base", "console", "form"),
    toBrowserScript("try.js", "console"),
    toScript("try-contract.js", toContractScript(document)),
  ];
}

/** An origin that the console may call: `https://api.example.com`, `http://localhost:3000`, or any port: `http://localhost:*`. */
const ORIGIN = /^https?:\/\/(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::(?:\d+|\*))?$/i;

export function isCallableOrigin(text: string): boolean {
  return ORIGIN.test(text);
}

/**
 * Lists the origins besides its own that the console of a contract may call: those of its servers, of the service where it is
 * elsewhere, and those that the site's owner allows.
 * @throws {TypeError} when an allowed origin is invalid: it would become part of a policy.
 */
export function listCallable(
  contract: Contract,
  service: string | undefined,
  allowed: readonly string[] = [],
): readonly string[] {
  const wrong = allowed.find((origin) => !isCallableOrigin(origin));
  if (wrong !== undefined)
    throw new TypeError(
      `"${wrong}" is not an origin that the console can call, for example "http://localhost:3000"`,
    );
  const own = service !== undefined && URL.canParse(service) ? [new URL(service).origin] : [];
  return [...new Set([...own, ...listOrigins(contract), ...allowed])].filter(isCallableOrigin);
}

/**
 * The policy of the console's page. The page shows images of responses, which it holds itself (`blob:`). All text that is written
 * into it stays text: no script can make an element from it (`require-trusted-types-for`).
 */
export function createConsolePolicy(origins: readonly string[]): string {
  return createPolicy({
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "data: blob:",
    "connect-src": ["'self'", ...origins].join(" "),
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
  });
}
