import { createHash } from "node:crypto";
import { escapeMarkup } from "../../output/markup.js";
import { PAGE_POLICY } from "../policy.js";
import { FILTER_SCRIPT } from "./filter.js";
import { CHANGES_STYLES } from "./look.js";
import { SHADES, type Shade, type ShownChange, toShade } from "./shown-change.js";

/** Names of the page's files within the docs site. */
export const CHANGES_STYLE_FILE = "changes.css";
export const CHANGES_SCRIPT_FILE = "changes.js";

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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(isSite ? PAGE_POLICY : OWN_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
${isSite ? `<link rel="stylesheet" href="${CHANGES_STYLE_FILE}">\n<script src="theme.js"></script>` : `<style>${CHANGES_STYLES}</style>`}
</head>
<body>
<header>
<h1>${escapeMarkup(title)}</h1>
${introduction}${isSite ? "<div data-theme-switch hidden></div>\n" : ""}</header>
<main>
${renderFilter(changes)}${body}</main>
<footer>
${footer}</footer>
${isSite ? `<script src="${CHANGES_SCRIPT_FILE}"></script>` : `<script>${FILTER_SCRIPT}</script>`}
</body>
</html>
`;
}

/** The very style and script of the page, and nothing else. */
const OWN_POLICY = [
  "default-src 'none'",
  `style-src '${toHash(CHANGES_STYLES)}'`,
  `script-src '${toHash(FILTER_SCRIPT)}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

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
