import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { createPagePolicy, RELOAD_SCRIPT } from "../assets/index.js";

export interface PageOptions {
  /** The page loads itself again when the service was restarted. Default: false. */
  readonly reload?: boolean;
  /** The docs sites of the API's versions, this one among them: readers change from one to another. Default: none. */
  readonly versions?: readonly DocsVersion[];
}

/** The docs site of one version of the API. */
export interface DocsVersion {
  /** `v1`. */
  readonly name: string;
  /** Relative to the page, `../v1/`; for sites in folders on disk with the file's name, `../v1/index.html`. */
  readonly href: string;
  /** It is the site that the page is of. Default: false. */
  readonly current?: boolean;
}

/**
 * The site's one page: places for the menu and the reference, which its scripts fill. Its policy is in it too, for a folder on
 * disk or a host that sets no headers.
 */
export function createReferencePage(
  title: string,
  { reload = false, versions = [] }: PageOptions = {},
): string {
  const shownTitle = escapeMarkup(title);
  return createHtmlPage({
    title,
    policy: createPagePolicy(reload),
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
