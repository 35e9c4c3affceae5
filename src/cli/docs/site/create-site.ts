import type { Node } from "tenon/core/document";
import { buildContract } from "tenon/core/model";
import { stringify } from "yaml";
import type { Changelog } from "../../changelog/index.js";
import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { annotate } from "../annotate/annotate.js";
import { loadRedoc, loadRedocLicenses, REDOC_LICENSES } from "../assets/assets.js";
import {
  type DocsFile,
  INDEX,
  RELOAD_SCRIPT,
  toBrowserScript,
  toDatedScript,
  toPage,
  toScript,
  toStyleSheet,
} from "../assets/docs-file.js";
import { PAGE_POLICY, RELOADING_POLICY } from "../assets/page-policy.js";
import { CHANGELOG_LINK, createChangelogFiles } from "../changes/changelog-page.js";
import { type ConsoleOptions, createConsoleFiles } from "../console/console-page.js";
import { createSamples, type SampleOptions } from "../samples/samples.js";

export interface SiteOptions extends SampleOptions, ConsoleOptions {
  /** When the site is read, in milliseconds since 1970: what is past its `x-sunset` is shown as gone. Default: now. */
  readonly now?: number;
  /** The contract's history, which becomes a page of its own. Default: none. */
  readonly changelog?: Changelog | undefined;
  /** The docs sites of the API's versions, this one among them: readers change from one to another. Default: none. */
  readonly versions?: readonly DocsVersion[];
}

/** The docs site of one version of the API. */
export interface DocsVersion {
  /** `v1`. */
  readonly name: string;
  /** Relative to the page, `../v1/`; for sites in folders on disk with the file's name, `../v1/index.html`. */
  readonly href: string;
  /** It is the site that the page belongs to. Default: false. */
  readonly current?: boolean;
}

/** The members of a contract that the site needs itself. */
export interface DocumentedContract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
}

/**
 * Creates the docs site of a contract: a few files with relative names, which work under any path and from a folder on disk.
 * The contract is a script as well, because a page opened from a folder may not fetch.
 */
export function createDocsSite(document: DocumentedContract, options: SiteOptions = {}): readonly DocsFile[] {
  const { title, version } = document.info;
  const { changelog, service, client, reload = false, now = Date.now() } = options;
  const contract = buildContract(document as unknown as Node);
  const annotated = annotate(document as unknown as Node, contract, {
    service,
    samples: createSamples(contract, { service, client }),
    introduction: changelog && CHANGELOG_LINK,
  });
  const page = createReferencePage(`${title} ${version}`, options);
  return [
    toPage(INDEX, page, reload ? RELOADING_POLICY : undefined),
    toStyleSheet("docs.css", "reference", "menu", "redoc", "decisions"),
    toBrowserScript("theme.js", "theme"),
    toBrowserScript("docs.js", "docs"),
    createContractScript(annotated, now),
    toScript("redoc.js", loadRedoc()),
    { name: REDOC_LICENSES, mediaType: "text/plain; charset=utf-8", text: loadRedocLicenses() },
    { name: "openapi.json", mediaType: "application/json", text: `${JSON.stringify(document, null, 2)}\n` },
    {
      name: "openapi.yaml",
      // RFC 9512 registers the media type.
      mediaType: "application/yaml",
      // Without anchors, which some readers of OpenAPI do not follow.
      text: stringify(document, { aliasDuplicateObjects: false }),
    },
    ...createConsoleFiles(document, contract, options),
    ...(changelog === undefined ? [] : createChangelogFiles(changelog)),
    ...(reload ? [toBrowserScript(RELOAD_SCRIPT, "reload")] : []),
  ];
}

/** Creates the script of the contract as it is shown from now on: differently after each `x-sunset` in it. */
function createContractScript({ sunsets, at }: ReturnType<typeof annotate>, now: number): DocsFile {
  const later = [...new Set(sunsets)].filter((instant) => instant > now).sort((a, b) => a - b);
  const shown = [now, ...later].map((instant) => [instant, at(instant)] as const);
  return toScript("contract.js", toDatedScript(shown));
}

/**
 * Creates the page of the reference: places for the menu and the content, which its scripts fill. Its policy is in it too, for a
 * folder on disk or a host that sets no headers.
 */
function createReferencePage(title: string, { reload = false, versions = [] }: SiteOptions): string {
  const shownTitle = escapeMarkup(title);
  return createHtmlPage({
    title,
    policy: reload ? RELOADING_POLICY : PAGE_POLICY,
    head: `<link rel="stylesheet" href="docs.css">\n<script src="theme.js"></script>\n`,
    body: `<a class="skip" href="#docs">To the content</a>
<header class="bar">
<button type="button" aria-expanded="false" aria-controls="menu" hidden>Menu</button>
<p>${shownTitle}</p>
</header>
<nav id="menu" aria-label="Contents" hidden>
<p class="title">${shownTitle}</p>
<div class="tools">
${renderVersions(versions)}<div data-theme-switch hidden></div>
</div>
</nav>
<main id="docs" tabindex="-1">
<noscript>
These pages need JavaScript. The contract that they show: <a href="openapi.yaml">openapi.yaml</a>,
<a href="openapi.json">openapi.json</a>.
</noscript>
</main>
<p class="spoken" role="status"></p>
<script src="redoc.js"></script>
<script src="contract.js"></script>
<script src="docs.js"></script>
${reload ? `<script src="${RELOAD_SCRIPT}"></script>\n` : ""}`,
  });
}

function renderVersions(versions: readonly DocsVersion[]): string {
  if (versions.length === 0) return "";
  const current = versions.find((version) => version.current === true);
  const links = versions.map(({ name, href, current: isCurrent = false }) => {
    const mark = isCurrent ? ' aria-current="page"' : "";
    return `<li><a href="${escapeMarkup(href)}"${mark}>${escapeMarkup(name)}</a></li>\n`;
  });
  return `<details class="versions">
<summary>${current === undefined ? "Versions" : `Version ${escapeMarkup(current.name)}`}</summary>
<ul>
${links.join("")}</ul>
</details>
`;
}
