import type { Contract } from "tenon/core/model";
import { loadStyle } from "../assets/assets.js";
import { type DocsFile, toBrowserScript, toFile } from "../assets/docs-file.js";
import { listOrigins } from "./addresses.js";
import type { ConsoleData } from "./callable.js";

export interface ConsoleOptions {
  /** Address of the running service, relative to the page's or absolute. Default: one of the contract's servers. */
  readonly service?: string | undefined;
  /**
   * Origins that the console may call besides the page's own, the service's and those of the contract's servers:
   * `http://localhost:3000`, or `http://localhost:*` for any port. Default: none.
   */
  readonly callable?: readonly string[];
}

/** Creates the files of the console, which pages load when the reader tries the first operation. */
export function createConsoleFiles(data: ConsoleData): readonly DocsFile[] {
  return [
    toFile("console.css", loadStyle("console")),
    toBrowserScript("console"),
    toFile("console-data.js", toDataScript(data)),
  ];
}

/** Parsed from a string, because in a literal a member called `__proto__` would set the prototype. */
function toDataScript(data: ConsoleData): string {
  const literal = JSON.stringify(JSON.stringify(data));
  return `globalThis.consoleData = JSON.parse(${literal.replaceAll("<", "\\u003c")});\n`;
}

/** An origin that the console may call: `https://api.example.com`, `http://localhost:3000`, or any port: `http://localhost:*`. */
const ORIGIN = /^https?:\/\/(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::(?:\d+|\*))?$/i;

export function isCallableOrigin(text: string): boolean {
  return ORIGIN.test(text);
}

/**
 * Lists the origins besides its own that the console of a contract may call: those of its servers, of the token endpoints of its
 * security schemes, of the service where it is elsewhere, and those that the site's owner allows.
 * @throws {TypeError} when an allowed origin is invalid: it would become part of a policy.
 */
export function listCallable(
  contract: Contract,
  { service, callable = [] }: ConsoleOptions,
): readonly string[] {
  const wrong = callable.find((origin) => !isCallableOrigin(origin));
  if (wrong !== undefined)
    throw new TypeError(
      `"${wrong}" is not an origin that the console can call, for example "http://localhost:3000"`,
    );
  const own = service !== undefined && URL.canParse(service) ? [new URL(service).origin] : [];
  return [...new Set([...own, ...listOrigins(contract), ...callable])].filter(isCallableOrigin);
}
