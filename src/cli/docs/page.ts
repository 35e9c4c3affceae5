import { escapeMarkup } from "../output/markup.js";
import { createPagePolicy } from "./policy.js";
import { RELOAD_SCRIPT } from "./reload.js";

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
export function createPage(title: string, { reload = false, versions = [] }: PageOptions = {}): string {
  const policy = createPagePolicy(reload);
  const shownTitle = escapeMarkup(title);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${shownTitle}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs.css" />
    <script src="theme.js"></script>
  </head>
  <body>
    <a class="skip" href="#docs">To the content</a>
    <header class="bar">
      <button type="button" aria-expanded="false" aria-controls="menu" hidden>Menu</button>
      <p>${shownTitle}</p>
    </header>
    <nav id="menu" aria-label="Contents" hidden>
      <p class="title">${shownTitle}</p>
      <div class="tools">
${renderVersions(versions)}        <div data-theme-switch hidden></div>
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
    <script src="docs.js"></script>${reload ? `\n    <script src="${RELOAD_SCRIPT}"></script>` : ""}
  </body>
</html>
`;
}

function renderVersions(versions: readonly DocsVersion[]): string {
  if (versions.length === 0) return "";
  const current = versions.find((version) => version.current === true);
  const links = versions.map(({ name, href, current: isCurrent = false }) => {
    const mark = isCurrent ? ' aria-current="page"' : "";
    return `            <li><a href="${escapeMarkup(href)}"${mark}>${escapeMarkup(name)}</a></li>\n`;
  });
  return `        <details class="versions">
          <summary>${current === undefined ? "Versions" : `Version ${escapeMarkup(current.name)}`}</summary>
          <ul>
${links.join("")}          </ul>
        </details>
`;
}
