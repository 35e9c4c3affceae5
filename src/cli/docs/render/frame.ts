import { createHtmlPage } from "../../output/html-page.js";
import { RELOAD_SCRIPT } from "../assets/docs-file.js";
import { type Html, html } from "./html.js";

/** The docs site of one version of the API. */
export interface DocsVersion {
  /** `v1`. */
  readonly name: string;
  /** Relative to the page, `../v1/`; for sites in folders on disk with the file's name, `../v1/index.html`. */
  readonly href: string;
  /** It is the site that the page belongs to. Default: false. */
  readonly current?: boolean;
}

export interface Frame {
  readonly title: string;
  /** Title and version of the contract. */
  readonly site: string;
  readonly menu: Html;
  readonly content: Html;
  /** The page as Markdown: `index.md`. */
  readonly twin: string;
  readonly versions: readonly DocsVersion[];
  /** Content-Security-Policy. */
  readonly policy: string;
  /** The page loads itself again when the service was restarted. */
  readonly reload: boolean;
}

/** Creates a page of the site: bar, menu and content. Its policy is in it, for a folder on disk or a host that sets no headers. */
export function createFramedPage(frame: Frame): string {
  const { title, site, menu, content, twin, versions, policy, reload } = frame;
  const body = html`<a class="skip" href="#content">To the content</a>
    <header class="bar">
      <button type="button" class="menu-button" aria-expanded="false" aria-controls="menu" hidden>
        Menu
      </button>
      <a class="brand" href="index.html">${site}</a>
      <div class="search" role="search" hidden></div>
      ${renderVersions(versions)}
      <div data-theme-switch hidden></div>
    </header>
    <div class="columns">
      <nav id="menu" aria-label="Contents">${menu}</nav>
      <main id="content" tabindex="-1">${content}</main>
    </div>
    <p class="spoken" role="status"></p>
    <script src="docs.js"></script>
    ${reload && html`<script src="${RELOAD_SCRIPT}"></script> `}`;
  return createHtmlPage({
    title,
    policy,
    head: `<meta name="referrer" content="no-referrer">
<link rel="alternate" type="text/markdown" href="${twin}">
<link rel="stylesheet" href="docs.css">
<script src="theme.js"></script>
`,
    body: body.text,
  });
}

function renderVersions(versions: readonly DocsVersion[]): Html | undefined {
  if (versions.length === 0) return undefined;
  const current = versions.find((version) => version.current === true);
  return html`<details class="versions">
    <summary>${current === undefined ? "Versions" : `Version ${current.name}`}</summary>
    <ul>
      ${versions.map(
        ({ name, href, current: isCurrent = false }) =>
          html`<li><a href="${href}" ${isCurrent && html` aria-current="page"`}>${name}</a></li> `,
      )}
    </ul>
  </details> `;
}
