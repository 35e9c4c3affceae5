import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../init/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { toHint } from "../output/nearest.js";

/** The arguments and options of the command, which its help describes. */
export interface ExplainOptions {
  readonly code: string;
  readonly json?: boolean;
}

/** The pages of this package with tables of codes. */
const PAGES = [
  ...["guide/errors.md", "guide/configuration.md", "guide/compare.md", "guide/verify.md"],
  "diff/CODES.md",
];

/** A row of a table that explains a code. */
interface Explanation {
  readonly code: string;
  /** `guide/errors.md`, below the folder of this package. */
  readonly page: string;
  readonly heading: string;
  /** Cells by the heads of their columns. */
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * Prints what a code of lint, generate, diff or verify means, as the guide has it.
 * @throws {UsageError} when there is no such code.
 */
export function runExplain({ code, json = false }: ExplainOptions, context: CommandContext): ExitCode {
  const all = listExplanations();
  const found = all.filter((one) => one.code === code || one.code === `tenon/${code}`);
  if (found.length === 0) {
    const { hint } = toHint(
      code,
      all.map((one) => one.code),
    );
    throw new UsageError(
      `There is no code "${code}".${hint === undefined ? "" : ` ${hint}`} Codes of Redocly's own rules: https://redocly.com/docs/cli/rules/built-in-rules`,
    );
  }
  if (json) {
    printJson(found, context);
    return 0;
  }
  for (const { code: name, page, heading, facts } of found) {
    context.stdout.write(`${name}\n`);
    for (const [head, text] of Object.entries(facts)) context.stdout.write(`  ${head}: ${text}\n`);
    context.stdout.write(`  See "${heading}" in ${join(PACKAGE_ROOT, page)}\n`);
  }
  return 0;
}

/** Lists every code that the pages explain. */
export function listExplanations(): readonly Explanation[] {
  return PAGES.flatMap(readExplanations);
}

/** Reads the rows of a page's tables that have a code in a cell of their own. */
function readExplanations(page: string): readonly Explanation[] {
  const explanations: Explanation[] = [];
  let heading = "";
  let heads: readonly string[] | undefined;
  let before: readonly string[] = [];
  for (const line of readFileSync(join(PACKAGE_ROOT, page), "utf8").split(/\r?\n/)) {
    if (/^#+ /.test(line)) heading = toPlain(line.replace(/^#+ /, ""));
    const cells = line.startsWith("|") ? readCells(line) : [];
    if (cells.length === 0) heads = undefined;
    else if (cells.every((cell) => /^:?-+:?$/.test(cell))) heads = before;
    else if (heads !== undefined) {
      const at = cells.findIndex((cell) => /^`[^`]+`$/.test(cell));
      const code = cells[at]?.slice(1, -1) ?? "";
      const others = heads.flatMap((head, index) => {
        const text = toPlain(cells[index] ?? "");
        return index === at || text === "" ? [] : [[head, text] as const];
      });
      // The page of settings has tables of other names, too.
      const isCode = page.includes("configuration") ? code.startsWith("tenon/") : /^[a-z][\w-]*$/.test(code);
      if (isCode) explanations.push({ code, page, heading, facts: Object.fromEntries(others) });
    }
    before = cells;
  }
  return explanations;
}

function readCells(line: string): readonly string[] {
  return line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Leaves out the addresses of links. */
function toPlain(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1").replaceAll("\\|", "|");
}
