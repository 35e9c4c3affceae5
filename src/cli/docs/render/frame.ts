import type { HeaderLink } from "../../project/index.js";
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

/** Logo, icon and links of the API's owner. */
export interface Brand {
  readonly logo?: { readonly src: string; readonly text: string };
  /** Address of the icon. */
  readonly icon: string;
  readonly links: readonly HeaderLink[];
}

export interface Frame {
  readonly title: string;
  /** The page's text in short, for search engines. */
  readonly description: string;
  readonly brand: Brand;
  /** Address of the page where the site is published. Default: unknown. */
  readonly url?: string | undefined;
  /** Title of the contract. */
  readonly site: string;
  readonly version: string;
  readonly menu: Html;
  readonly content: Html;
  /** Link to the page of the group that the page's operation is in. Default: none. */
  readonly around?: Html | undefined;
  /** Name of a style sheet and a script that it has besides those of all pages. Default: none. */
  readonly needs?: string | undefined;
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
  const { title, site, version, menu, content, around, twin, versions, policy, reload, brand, needs } = frame;
  const { logo, links, icon } = brand;
  const body = html`<a class="skip" href="#content">To the content</a>
    <header class="bar">
      <button type="button" class="menu-button" aria-expanded="false" aria-controls="menu" hidden>
        Menu
      </button>
      <a class="brand" href="index.html"
        >${logo && html`<img src="${logo.src}" alt="${logo.text}">`}<span>${site}</span> <small>${version}</small></a
      >
      <div class="search" role="search" hidden></div>
      ${links.length > 0 && html`<nav class="bar-links" aria-label="Links">${renderLinks(links)}</nav>`}
      ${renderVersions(versions)}
      <div data-theme-switch hidden></div>
    </header>
    <div class="columns">
      <nav id="menu" aria-label="Contents">
        ${menu}${links.length > 0 && html`<div class="menu-links">${renderLinks(links)}</div>`}
      </nav>
      <main id="content" tabindex="-1">
        <p class="page-actions">${around}<a href="${twin}">Markdown</a></p>
        ${content}
      </main>
    </div>
    <p class="spoken" role="status"></p>
    <script src="docs.js"></script>
    ${needs !== undefined && html`<script src="${needs}.js"></script> `}${reload && html`<script src="${RELOAD_SCRIPT}"></script> `}`;
  // A script below a style sheet would wait for it, and the text below the script, too.
  const head = html`<meta name="referrer" content="no-referrer">
${renderMetadata(frame)}<link rel="alternate" type="text/markdown" href="${twin}">
<script src="theme.js"></script>
<link rel="stylesheet" href="docs.css">
${
  needs !== undefined &&
  html`<link rel="stylesheet" href="${needs}.css">
`
}`;
  return createHtmlPage({
    title,
    policy,
    icon,
    head: head.text,
    body: body.text,
  });
}

/** Other hosts get absolute addresses only. */
function renderMetadata({ title, site, description, url }: Frame): Html {
  return html`<meta name="description" content="${description}">
${
  url !== undefined &&
  html`<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${site}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
`
}`;
}

function renderLinks(links: readonly HeaderLink[]): readonly Html[] {
  return links.map(({ text, url }) => html`<a href="${url}">${text}</a> `);
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
