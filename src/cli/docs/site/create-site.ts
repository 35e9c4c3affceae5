import type { Node } from "tenon/core/document";
import { buildContract } from "tenon/core/model";
import { stringify } from "yaml";
import type { Changelog } from "../../changelog/index.js";
import { annotate, type AnnotatedContract } from "../annotate/index.js";
import {
  createPagePolicy,
  type DocsFile,
  INDEX,
  loadRedoc,
  loadRedocLicenses,
  REDOC_LICENSES,
  RELOAD_SCRIPT,
  toBrowserScript,
  toDatedScript,
  toPage,
  toScript,
  toStyleSheet,
} from "../assets/index.js";
import { CHANGELOG_LINK, createChangelogFiles } from "../changes/index.js";
import { createConsoleFiles } from "../console/index.js";
import { createSamples, type SampleOptions } from "../samples/index.js";
import { createReferencePage, type PageOptions } from "./reference-page.js";

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

/** What a page needs to know of a contract. */
export interface DocumentedContract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
}

/**
 * The docs site of a contract: a few files with relative names, which work under any path and from a folder on disk.
 * The contract is a script besides, because a page opened from a folder may not fetch.
 */
export function createDocsSite(document: DocumentedContract, options: SiteOptions = {}): readonly DocsFile[] {
  const { title, version } = document.info;
  const { changelog, service, client, now = Date.now() } = options;
  const contract = buildContract(document as unknown as Node);
  const annotated = annotate(document as unknown as Node, contract, {
    service,
    samples: createSamples(contract, { service, client }),
    introduction: changelog && CHANGELOG_LINK,
  });
  const page = createReferencePage(`${title} ${version}`, options);
  return [
    toPage(INDEX, page, options.reload ? createPagePolicy(true) : undefined),
    toStyleSheet("docs.css", "palette", "reference", "menu", "redoc", "decisions"),
    toBrowserScript("theme.js", "theme"),
    toBrowserScript("docs.js", "docs"),
    createContractScript(annotated, now),
    toScript("redoc.js", loadRedoc()),
    { name: REDOC_LICENSES, mediaType: "text/plain; charset=utf-8", text: loadRedocLicenses() },
    ...createContractFiles(document),
    ...createConsoleFiles(document, contract, options),
    ...(changelog === undefined ? [] : createChangelogFiles(changelog)),
    ...(options.reload === true ? [toBrowserScript(RELOAD_SCRIPT, "reload")] : []),
  ];
}

/** The contract as it is shown from now on: differently after each `x-sunset` in it. */
function createContractScript({ sunsets, at }: AnnotatedContract, now: number): DocsFile {
  const later = [...new Set(sunsets)].filter((instant) => instant > now).sort((a, b) => a - b);
  const shown = [now, ...later].map((instant) => [instant, at(instant)] as const);
  return toScript("contract.js", toDatedScript(shown));
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
