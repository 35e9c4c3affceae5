import { createHash } from "node:crypto";
import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { loadBrowserScript, loadStyles, PAGE_POLICY } from "../assets/index.js";
import { SHADES, type Shade, type ShownChange, toShade } from "./render-change.js";

/** Names of the page's files within the docs site. */
export const CHANGES_STYLE_SHEET = "changes.css";
export const CHANGES_SCRIPT = "changes.js";

export interface ChangesPage {
  readonly title: string;
  /** HTML below the title. */
  readonly introduction: string;
  /** All that are in `body`: the filter offers what they are. */
  readonly changes: readonly ShownChange[];
  /** HTML with {@link renderChange}'s. */
  readonly body: string;
  /** HTML at the end. */
  readonly footer: string;
  /** One file that needs no other, or a page of the docs site. */
  readonly kind: "self-contained" | "site";
}

/** A page of changes, which asks no other host for anything and reads well without its script. */
export function createChangesPage(page: ChangesPage): string {
  const { title, introduction, changes, body, footer, kind } = page;
  const isSite = kind === "site";
  return createHtmlPage({
    title,
    policy: isSite ? PAGE_POLICY : createOwnPolicy(),
    head: isSite
      ? `<link rel="stylesheet" href="${CHANGES_STYLE_SHEET}">\n<script src="theme.js"></script>\n`
      : `<style>${loadChangesStyles()}</style>\n`,
    body: `<header>
<h1>${escapeMarkup(title)}</h1>
${introduction}${isSite ? "<div data-theme-switch hidden></div>\n" : ""}</header>
<main>
${renderFilter(changes)}${body}</main>
<footer>
${footer}</footer>
${isSite ? `<script src="${CHANGES_SCRIPT}"></script>` : `<script>${loadBrowserScript("changes")}</script>`}
`,
  });
}

function loadChangesStyles(): string {
  return loadStyles("palette", "changes");
}

/** The very style and script of the page, and nothing else. */
function createOwnPolicy(): string {
  return [
    "default-src 'none'",
    `style-src '${toHash(loadChangesStyles())}'`,
    `script-src '${toHash(loadBrowserScript("changes"))}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function toHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Hidden until the script that it needs shows it; there is none where there is nothing to choose from. */
function renderFilter(changes: readonly ShownChange[]): string {
  const found = new Set(changes.map(toShade));
  if (found.size < 2) return "";
  const shades = (Object.keys(SHADES) as Shade[]).filter((shade) => found.has(shade));
  const boxes = shades.map((shade) => {
    const box = `<input type="checkbox" name="shade" value="${shade}" checked>`;
    return `<label>${box} ${SHADES[shade]}</label>\n`;
  });
  // Without autocomplete: browsers would bring back what was chosen before the page was loaded again.
  return `<form class="filter" autocomplete="off" hidden>
<fieldset>
<legend>Show</legend>
${boxes.join("")}</fieldset>
<output></output>
</form>
`;
}
