import type { RenderContext } from "../render/context.js";
import { readExternalDocs } from "../render/extras.js";
import { toFragment } from "../render/ids.js";
import type { Phrase } from "../texts/phrase.js";
import type { Placed } from "tenon/core/document";

/** Joins the blocks of a text, with an empty line between them. */
export function joinBlocks(...blocks: readonly (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== "").join("\n\n");
}

export function toHeading(level: number, text: string): string {
  return `${"#".repeat(Math.min(6, level))} ${toLine(text)}`;
}

/** Writes text in one line. */
export function toLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Headings, and blocks of code, which can contain comments that are like headings. */
const HEADING = /^ {0,3}(`{3,}|~{3,})[^]*?^ {0,3}\1|^(#{1,6})(?= )/gm;

/**
 * Writes a text of the contract, which is Markdown itself.
 * @param below Level of the heading that it is below.
 */
export function writeText(text = "", below = 0): string {
  const own = text
    .replaceAll("\r\n", "\n")
    .replace(/^\s*\n/, "")
    .trimEnd();
  if (below === 0 || !/^#/m.test(own)) return own;
  return own.replaceAll(HEADING, (whole, _fence, marks: string | undefined) =>
    marks === undefined ? whole : "#".repeat(Math.min(6, marks.length + below)),
  );
}

/** A text that is more than a paragraph. */
const BLOCKS = /\n\s*\n|^\s*(?:[-*+] |#{1,6} |\d+[.)] |[>|<]|```|~~~)/m;

/** Writes an item of a list: its line with its text, or with several blocks of text below it, and the lines within it. */
export function toItem(line: string, text = "", inner: readonly string[] = []): readonly string[] {
  const start = `- ${line.replaceAll(/[\r\n]+/g, " ")}`;
  const [first = "", ...others] = text.split("\n");
  if (text === "") return [start, ...indent(inner)];
  if (BLOCKS.test(text)) return [start, "", ...indent([first, ...others, "", ...inner])];
  return [`${start}: ${first}`, ...indent([...others, ...inner])];
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === "" ? line : `  ${line}`));
}

/** Writes code within a line, between more backticks than it has itself. */
export function toSpan(code: string): string {
  if (!code.includes("`")) return `\`${code === "" ? '""' : code.replaceAll(/[\r\n]/g, " ")}\``;
  const marks = countBackticks(code, 0);
  return `${marks} ${code.replaceAll(/[\r\n]/g, " ")} ${marks}`;
}

export function toFence(text: string, language = ""): string {
  const fence = countBackticks(text, 2);
  return `${fence}${language.replaceAll(/[^\w+#.-]/g, "")}\n${text}\n${fence}`;
}

/** Returns one backtick more than any run of them within a text. */
function countBackticks(text: string, least: number): string {
  // Most texts have none, and some are long.
  const runs = text.includes("`") ? [...text.matchAll(/`+/g)] : [];
  const longest = runs.reduce((most, [run]) => Math.max(most, run.length), least);
  return "`".repeat(longest + 1);
}

export function toLink(text: string, href: string): string {
  return `[${toLine(text).replaceAll(/[[\]\\]/g, "\\$&")}]${toTarget(href)}`;
}

/** Writes the address of a link. Spaces and brackets would end it. */
export function toTarget(href: string): string {
  return `(${href.replaceAll(/[ \t\r\n()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`)})`;
}

/** Links to a place of the site by its id: which page has it is known when all texts are written. */
export function toPlaceLink(text: string, id: string): string {
  return toLink(text, toFragment(id));
}

export function writePhrase(phrase: Phrase): string {
  return phrase
    .map((part) => {
      if (typeof part === "string") return part;
      const { text, isCode = false, to } = part;
      const own = isCode ? toSpan(text) : text;
      return to === undefined ? own : isCode ? `[${own}]${toTarget(toFragment(to))}` : toPlaceLink(text, to);
    })
    .join("");
}

export function writeExternalDocs(place: Placed, context: RenderContext): string | undefined {
  const link = readExternalDocs(place, context);
  return link && toLink(link.text, link.href);
}
