import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { type DocsFile, INDEX, toPage, toStyleSheet } from "../assets/index.js";

/** A site that the page leads to. */
export interface ListedSite {
  /** `v1` */
  readonly name: string;
  /** Relative to the page. */
  readonly href: string;
  /** Title and version of the contract. */
  readonly title: string;
}

const STYLE_SHEET = "versions.css";

const POLICY = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

/** The page of a folder that has several docs sites. It needs no script. */
export function createVersionsFiles(sites: readonly ListedSite[]): readonly DocsFile[] {
  const links = sites.map(({ name, href, title }) => {
    return `<li><a href="${escapeMarkup(href)}">${escapeMarkup(name)}</a>: ${escapeMarkup(title)}</li>\n`;
  });
  const page = createHtmlPage({
    title: "API documentation",
    policy: POLICY,
    head: `<link rel="stylesheet" href="${STYLE_SHEET}">\n`,
    body: `<main>
<h1>API documentation</h1>
<ul>
${links.join("")}</ul>
</main>
`,
  });
  return [toPage(INDEX, page), toStyleSheet(STYLE_SHEET, "versions")];
}
