import { stringify } from "yaml";
import type { Changelog } from "../changelog/changelog.js";
import { loadBrowserScript } from "./browser-script.js";
import { createChangelogFiles, withChangelogLink } from "./changelog-files.js";
import { createConsoleFiles } from "./console/files.js";
import { DECISION_STYLES, withDecisions } from "./decisions.js";
import { STYLES } from "./look.js";
import { createPage, type PageOptions } from "./page.js";
import { createPagePolicy } from "./policy.js";
import { loadRedoc, loadRedocLicenses, REDOC_LICENSES } from "./redoc.js";
import { RELOAD_SCRIPT, RELOAD_SCRIPT_TEXT } from "./reload.js";
import { addSamples, type SampleOptions } from "./samples/add-samples.js";
import { withService } from "./servers.js";
import { listSunsets, toShownContract } from "./shown-contract.js";
import { toDatedScript } from "./to-script.js";

export interface SiteOptions extends PageOptions, SampleOptions {
  /** When the site is read, in milliseconds since 1970: what is past its `x-sunset` is shown as gone. Default: now. */
  readonly now?: number;
  /** The contract's history, which becomes a page of its own. Default: none. */
  readonly changelog?: Changelog | undefined;
  /**
   * Origins that the console may call besides the page's own, the service's and those of the contract's servers:
   * `http://localhost:3000`, or `http://localhost:*` for any port. Default: none.
   */
  readonly callable?: readonly string[];
}

/** One file of the docs site, by its name relative to the site's root. */
export interface DocsFile {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  /** Of a page that needs another one than the others. */
  readonly policy?: string;
}

/** What a page needs to know of a contract. */
export interface DocumentedContract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
}

/** The file that a folder stands for. */
export const INDEX = "index.html";

const SCRIPT = "text/javascript; charset=utf-8";

/**
 * The docs site of a contract: a few files with relative names, which work under any path and from a folder on disk.
 * The contract is a script besides, because a page opened from a folder may not fetch.
 */
export function createDocsSite(contract: DocumentedContract, options: SiteOptions = {}): readonly DocsFile[] {
  const { title, version } = contract.info;
  const { changelog } = options;
  return [
    {
      name: INDEX,
      mediaType: "text/html; charset=utf-8",
      text: createPage(`${title} ${version}`, options),
      ...(options.reload && { policy: createPagePolicy(true) }),
    },
    { name: "docs.css", mediaType: "text/css; charset=utf-8", text: STYLES + DECISION_STYLES },
    { name: "theme.js", mediaType: SCRIPT, text: loadBrowserScript("theme") },
    { name: "docs.js", mediaType: SCRIPT, text: loadBrowserScript("docs") },
    createContractScript(toSiteContract(contract, options), options.now ?? Date.now()),
    { name: "redoc.js", mediaType: SCRIPT, text: loadRedoc() },
    { name: REDOC_LICENSES, mediaType: "text/plain; charset=utf-8", text: loadRedocLicenses() },
    ...createContractFiles(contract),
    ...createConsoleFiles(contract, options),
    ...(changelog === undefined ? [] : createChangelogFiles(changelog)),
    ...(options.reload === true
      ? [{ name: RELOAD_SCRIPT, mediaType: SCRIPT, text: RELOAD_SCRIPT_TEXT }]
      : []),
  ];
}

/** The contract with all that the page adds to it, whatever the day. */
function toSiteContract(
  contract: DocumentedContract,
  { changelog, service, client }: Pick<SiteOptions, "changelog" | "service" | "client">,
): DocumentedContract {
  const added = addSamples(withDecisions(withoutLogo(contract)), { service, client });
  return withChangelogLink(withService(added, service), changelog);
}

/** A logo is at another host, or in a file that the site does not have: the page would show that it is missing. */
function withoutLogo(contract: DocumentedContract): DocumentedContract {
  const { "x-logo": logo, ...info } = contract.info as DocumentedContract["info"] & {
    readonly "x-logo"?: { readonly url?: unknown };
  };
  return String(logo?.url).startsWith("data:") ? contract : { ...contract, info };
}

/**
 * The contract as it is shown from now on: differently after each `x-sunset` in it.
 * @param now Milliseconds since 1970.
 */
function createContractScript(contract: DocumentedContract, now: number): DocsFile {
  const later = [...new Set(listSunsets(contract))].filter((instant) => instant > now).sort((a, b) => a - b);
  const shown = [now, ...later].map((instant) => [instant, toShownContract(contract, instant)] as const);
  return { name: "contract.js", mediaType: SCRIPT, text: toDatedScript(shown) };
}

/** The contract itself, `openapi.json` and `openapi.yaml`. */
function createContractFiles(contract: DocumentedContract): readonly DocsFile[] {
  return [
    { name: "openapi.json", mediaType: "application/json", text: `${JSON.stringify(contract, null, 2)}\n` },
    // RFC 9512 registers the media type.
    { name: "openapi.yaml", mediaType: "application/yaml", text: toYaml(contract) },
  ];
}

/** Without anchors: not every reader of OpenAPI follows them. */
function toYaml(contract: object): string {
  return stringify(contract, { aliasDuplicateObjects: false });
}
