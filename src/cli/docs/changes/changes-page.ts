import { createHash } from "node:crypto";
import type { ChangelogChange } from "../../changelog/index.js";
import type { Level } from "../../diff/index.js";
import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { loadBrowserScript, loadStyles } from "../assets/assets.js";
import { createPolicy } from "../assets/page-policy.js";

/** Name of the style sheet and the script of changes. */
export const CHANGES = "changes";

export interface ChangesPage {
  readonly title: string;
  /** HTML below the title. */
  readonly introduction: string;
  /** All changes in `body`: the filter offers their levels. */
  readonly changes: readonly ShownChange[];
  /** HTML with {@link renderChanges}'s. */
  readonly body: string;
  /** HTML at the end. */
  readonly footer: string;
}

/** Creates a page of changes: one file that asks for no other, and reads well without its script. */
export function createChangesPage({ title, introduction, changes, body, footer }: ChangesPage): string {
  const [styles, script] = [loadStyles("report", CHANGES), loadBrowserScript(CHANGES)];
  return createHtmlPage({
    title,
    policy: createPolicy({
      "style-src": toHash(styles),
      "script-src": toHash(script),
      "img-src": "data:",
    }),
    head: `<style>${styles}</style>\n`,
    body: `<header>
<h1>${escapeMarkup(title)}</h1>
${introduction}</header>
<main>
${renderFilter(changes)}${body}</main>
<footer>
${footer}</footer>
<script>${script}</script>
`,
  });
}

/** The source of a policy that allows this very text. */
function toHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Renders the filter, which is hidden until its script shows it. A page with changes of one level has no filter. */
export function renderFilter(changes: readonly ShownChange[]): string {
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

/** A change of a contract as a page shows it. */
export interface ShownChange extends Omit<ChangelogChange, "section"> {
  /** `openapi/v1.yaml:153`. */
  readonly place?: string;
  /** Its effect on code, in lines. */
  readonly notes?: readonly string[];
}

/** The choices of the filter. */
type Shade = Level | "ignored";

const SHADES: Readonly<Record<Shade, string>> = {
  breaking: "Breaking",
  risky: "Risky",
  safe: "Safe",
  ignored: "Ignored",
};

function toShade({ level, ignored }: ShownChange): Shade {
  return ignored === undefined ? level : "ignored";
}

/** Renders links to the parts of a page; a single part needs none. */
export function renderContents(name: string, links: readonly string[]): string {
  if (links.length < 2) return "";
  return `<nav aria-label="${name}">
<details>
<summary>${name}</summary>
<ul>
${links.map((link) => `<li>${link}</li>\n`).join("")}</ul>
</details>
</nav>
`;
}

/** @param heading Level of the changes' headings. */
export function renderChanges(changes: readonly ShownChange[], heading: 3 | 4): string {
  const items = changes.map((change) => renderChange(change, heading));
  return `<ul class="changes" role="list">\n${items.join("")}</ul>\n`;
}

function renderChange(change: ShownChange, heading: 3 | 4): string {
  const { code, message, why, place, ignored, operations, notes = [] } = change;
  const shade = toShade(change);
  return `<li class="change" data-shade="${shade}">
<h${heading}><span class="shade">${SHADES[shade]}</span> ${escapeMarkup(message)}</h${heading}>
${renderOperations(operations)}<p>${escapeMarkup(ignored === undefined ? why : `Ignored: ${ignored}`)}</p>
${renderValues(change)}${renderNotes(notes)}<p class="facts"><code>${escapeMarkup(code)}</code>${place === undefined ? "" : ` <span>${escapeMarkup(place)}</span>`}</p>
</li>
`;
}

/** More than these are folded away. */
const MAX_OPERATIONS = 3;

function renderOperations(operations: readonly string[]): string {
  if (operations.length === 0) return "";
  const list = `<ul class="operations">${operations.map((name) => `<li><code>${escapeMarkup(name)}</code></li>`).join("")}</ul>\n`;
  if (operations.length <= MAX_OPERATIONS) return list;
  return `<details><summary>${operations.length} operations</summary>${list}</details>\n`;
}

export function renderNotes(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  return `<ul class="notes">${notes.map((note) => `<li>${escapeMarkup(note)}</li>`).join("")}</ul>\n`;
}

function renderValues({ before, after }: ShownChange): string {
  const items = Object.entries({ Before: before, After: after })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<div><dt>${name}</dt><dd><pre>${escapeMarkup(toText(value))}</pre></dd></div>`);
  return items.length === 0 ? "" : `<dl>${items.join("")}</dl>\n`;
}

/** A longer value is cut, with a note. */
const MAX_CHARACTERS = 2000;

function toText(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value, null, 1);
  const rest = text.length - MAX_CHARACTERS;
  return rest <= 0 ? text : `${text.slice(0, MAX_CHARACTERS)}\n… and ${rest} more characters`;
}
