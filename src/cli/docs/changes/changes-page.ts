import { createHash } from "node:crypto";
import type { ChangelogChange } from "../../changelog/index.js";
import type { Level } from "../../diff/index.js";
import { createHtmlPage } from "../../output/html-page.js";
import { loadBrowserScript, loadStyles } from "../assets/assets.js";
import { createPolicy } from "../assets/page-policy.js";
import { type Html, html } from "../render/html.js";

/** Name of the style sheet and the script of changes. */
export const CHANGES = "changes";

export interface ChangesPage {
  readonly title: string;
  /** Below the title. */
  readonly introduction?: Html;
  /** All changes in `body`: the filter offers their levels. */
  readonly changes: readonly ShownChange[];
  /** With {@link renderChanges}'s. */
  readonly body: Html;
  readonly footer: Html;
}

/** Creates a page of changes: one file that asks for no other, and reads well without its script. */
export function createChangesPage({ title, introduction, changes, body, footer }: ChangesPage): string {
  const [styles, script] = [loadStyles("report", CHANGES), loadBrowserScript(CHANGES)];
  const content = html`<header>
<h1>${title}</h1>
${introduction}</header>
<main>
${renderFilter(changes)}${body}</main>
<footer>
${footer}</footer>
`;
  return createHtmlPage({
    title,
    policy: createPolicy({ "style-src": toHash(styles), "script-src": toHash(script), "img-src": "data:" }),
    head: `<style>${styles}</style>\n`,
    body: `${content.text}<script>${script}</script>\n`,
  });
}

/** The source of a policy that allows this very text. */
function toHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Renders the filter, which is hidden until its script shows it. A page with changes of one level has no filter. */
export function renderFilter(changes: readonly ShownChange[]): Html | undefined {
  const found = new Set(changes.map(toShade));
  if (found.size < 2) return undefined;
  const shades = (Object.keys(SHADES) as Shade[]).filter((shade) => found.has(shade));
  // Without autocomplete: browsers would bring back what was chosen before the page was loaded again.
  return html`<form class="filter" autocomplete="off" hidden>
<fieldset>
<legend>Show</legend>
${shades.map((shade) => html`<label><input type="checkbox" name="shade" value="${shade}" checked> ${SHADES[shade]}</label>\n`)}</fieldset>
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
export function renderContents(name: string, links: readonly Html[]): Html | undefined {
  if (links.length < 2) return undefined;
  return html`<nav aria-label="${name}">
<details>
<summary>${name}</summary>
<ul>
${links.map((link) => html`<li>${link}</li>\n`)}</ul>
</details>
</nav>
`;
}

/** @param heading Level of the changes' headings. */
export function renderChanges(changes: readonly ShownChange[], heading: 3 | 4): Html {
  return html`<ul class="changes" role="list">
${changes.map((change) => renderChange(change, heading))}</ul>
`;
}

function renderChange(change: ShownChange, heading: 3 | 4): Html {
  const { code, message, why, place, ignored, operations, notes = [] } = change;
  const shade = toShade(change);
  return html`<li class="change" data-shade="${shade}">
<h${heading}><span class="shade">${SHADES[shade]}</span> ${message}</h${heading}>
${renderOperations(operations)}<p>${ignored === undefined ? why : `Ignored: ${ignored}`}</p>
${renderValues(change)}${renderNotes(notes)}<p class="facts"><code>${code}</code>${place !== undefined && html` <span>${place}</span>`}</p>
</li>
`;
}

/** More than these are folded away. */
const MAX_OPERATIONS = 3;

function renderOperations(operations: readonly string[]): Html | undefined {
  if (operations.length === 0) return undefined;
  const list = html`<ul class="operations">${operations.map((name) => html`<li><code>${name}</code></li>`)}</ul>\n`;
  if (operations.length <= MAX_OPERATIONS) return list;
  return html`<details><summary>${operations.length} operations</summary>${list}</details>\n`;
}

export function renderNotes(notes: readonly string[]): Html | undefined {
  if (notes.length === 0) return undefined;
  return html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>\n`;
}

function renderValues({ before, after }: ShownChange): Html | undefined {
  if (before === undefined && after === undefined) return undefined;
  const render = (name: string, value: unknown) =>
    value !== undefined && html`<div><dt>${name}</dt><dd><pre>${toText(value)}</pre></dd></div>`;
  return html`<dl>${render("Before", before)}${render("After", after)}</dl>\n`;
}

/** A longer value is cut, with a note. */
const MAX_CHARACTERS = 2000;

function toText(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value, null, 1);
  const rest = text.length - MAX_CHARACTERS;
  return rest <= 0 ? text : `${text.slice(0, MAX_CHARACTERS)}\n… and ${rest} more characters`;
}
