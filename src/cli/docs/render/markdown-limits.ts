/** Quotes and lists within each other, as characters in front of a line's text: some 100 levels. */
const MAX_PREFIX = 200;

/** Marks of emphasis and links in a paragraph. The parser compares them with each other. */
const MAX_MARKS = 10_000;

/** Elements of HTML that are open at the same time. The parser opens each of them again in every paragraph. */
const MAX_OPEN = 100;

/** Cells of tables that are not written: each row gets as many as the first one. */
const MAX_ADDED_CELLS = 10_000;

const PREFIX = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))+/gm;
/** A blank line, or the start of a list item, which no paragraph contains. */
const PARAGRAPH_END = /\n[ \t]*\n|\n(?= {0,3}[-+*][ \t]+\S)/;
/** The line below the first row of a table: `| --- | :-: |`. */
const DELIMITERS = /^[\s>|:-]*$/;
const MARKS = /[*_~]+|[[\]]/g;
const FORMATTING = /<(\/?)(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)\b/gi;

/**
 * Tests whether the time or memory that rendering a text takes grows with the square of its length: it is nested deeply, has
 * thousands of marks in one paragraph, or tables with many columns and many short rows.
 */
export function isTooComplex(text: string): boolean {
  return (
    (text.match(PREFIX) ?? []).some((prefix) => prefix.length > MAX_PREFIX) ||
    text.split(PARAGRAPH_END).some((block) => (block.match(MARKS) ?? []).length > MAX_MARKS) ||
    countOpen(text) > MAX_OPEN ||
    countCells(text) > text.length + MAX_ADDED_CELLS
  );
}

/** Returns how many cells the tables of a text have at most. A written cell has one character at least. */
function countCells(text: string): number {
  let all = 0;
  let columns = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") columns = 0;
    else if (line.includes("-") && DELIMITERS.test(line)) columns = Math.max(columns, line.split("|").length);
    all += columns;
  }
  return all;
}

/** Returns how many elements that format text are open at most. */
function countOpen(text: string): number {
  const open = new Map<string, number>();
  let all = 0;
  let most = 0;
  for (const [, slash, tag = ""] of text.matchAll(FORMATTING)) {
    const name = tag.toLowerCase();
    const before = open.get(name) ?? 0;
    if (slash === "/" && before === 0) continue;
    const change = slash === "/" ? -1 : 1;
    open.set(name, before + change);
    all += change;
    most = Math.max(most, all);
  }
  return most;
}
