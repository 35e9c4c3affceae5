import type { ChangelogChange } from "../../changelog/index.js";
import type { Level } from "../../diff/index.js";
import { escapeMarkup } from "../../output/markup.js";

/** A change of a contract as a page shows it. */
export interface ShownChange extends Omit<ChangelogChange, "section"> {
  /** `openapi/v1.yaml:153`. */
  readonly place?: string;
  /** What it means to code, in lines. */
  readonly notes?: readonly string[];
}

/** What a change can be filtered by. */
export type Shade = Level | "ignored";

export const SHADES: Readonly<Record<Shade, string>> = {
  breaking: "Breaking",
  risky: "Risky",
  safe: "Safe",
  ignored: "Ignored",
};

export function toShade({ level, ignored }: ShownChange): Shade {
  return ignored === undefined ? level : "ignored";
}

/** A longer value is cut, with a note. */
const MOST_CHARACTERS = 2000;

export interface ChangeOptions {
  /** Level of the change's heading. */
  readonly heading: 3 | 4;
  /** Whether the operations are listed: not below a heading of their own. */
  readonly operations: boolean;
}

/** One change, as an item of a list. */
export function renderChange(change: ShownChange, { heading, operations }: ChangeOptions): string {
  const { code, message, why, place, ignored, notes = [] } = change;
  const shade = toShade(change);
  return `<li class="change" data-shade="${shade}">
<h${heading}><span class="shade">${SHADES[shade]}</span> ${escapeMarkup(message)}</h${heading}>
${operations ? renderOperations(change.operations) : ""}<p>${escapeMarkup(ignored === undefined ? why : `Ignored: ${ignored}`)}</p>
${renderValues(change)}${renderNotes(notes)}<p class="facts"><code>${escapeMarkup(code)}</code>${place === undefined ? "" : ` <span>${escapeMarkup(place)}</span>`}</p>
</li>
`;
}

/** More than these are folded away. */
const MOST_OPERATIONS = 3;

function renderOperations(operations: readonly string[]): string {
  if (operations.length === 0) return "";
  const list = `<ul class="operations">${operations.map((name) => `<li><code>${escapeMarkup(name)}</code></li>`).join("")}</ul>\n`;
  if (operations.length <= MOST_OPERATIONS) return list;
  return `<details><summary>${operations.length} operations</summary>${list}</details>\n`;
}

export function renderNotes(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  return `<ul class="notes">${notes.map((note) => `<li>${escapeMarkup(note)}</li>`).join("")}</ul>\n`;
}

function renderValues({ before, after }: ShownChange): string {
  const values = [
    ["Before", before],
    ["After", after],
  ] as const;
  const shown = values.filter(([, value]) => value !== undefined);
  if (shown.length === 0) return "";
  const items = shown.map(([name, value]) => {
    return `<div><dt>${name}</dt><dd><pre>${escapeMarkup(toText(value))}</pre></dd></div>`;
  });
  return `<dl>${items.join("")}</dl>\n`;
}

function toText(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value, null, 1);
  const rest = text.length - MOST_CHARACTERS;
  return rest <= 0 ? text : `${text.slice(0, MOST_CHARACTERS)}\n… and ${rest} more characters`;
}
