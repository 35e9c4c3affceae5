/** What differs from run to run: its name, and how it looks. */
const HOLES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["lines of a generated file", /(?<= )\+\d+ -\d+$/gm],
  ["milliseconds of a step", /(?<=\b(?:contract|types|service) )\d+\b/g],
  ["milliseconds of a test", /(?<=duration_ms )[\d.]+/g],
  ["duration", /\b\d+(?:\.\d+)? (?:ms|s)\b/g],
  ["API key", /petstore_(?:[0-9A-Za-z]{49}|…)/g],
  ["date of an answer", /\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g],
  ["date", /\b20\d\d-\d\d-\d\d(?:T[\d:.]+Z)?/g],
  ["UUID", /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g],
  ["revision", /\b[0-9a-f]{7,40}\b(?=\))/g],
];

const CUT = "…";

/** Text in which what differs from run to run has its name. */
function nameHoles(text: string): string {
  // Jest adds the time to a file that took more than five seconds.
  const lines = text.split("\n").map((line) => line.trimEnd().replace(/^(PASS \S+) \([\d.]+ s\)$/, "$1"));
  const trimmed = lines.join("\n").replace(/^\n+|\n+$/g, "");
  return HOLES.reduce((named, [name, pattern]) => named.replace(pattern, `<${name}>`), trimmed);
}

/** Whether what was printed is what is shown. */
export function isShown(shown: string, printed: string): boolean {
  const lines = nameHoles(shown).split("\n");
  const pattern = lines.map((line) => (line === CUT ? "(?:[^\\n]*\\n)*?" : `${toPattern(line)}\\n`)).join("");
  return new RegExp(`^${pattern}$`).test(`${nameHoles(printed)}\n`);
}

/**
 * Takes the lines that are shown out of those that were printed, in any order: those of a command and of the service that it runs are
 * printed as they come, and again where it takes one save for two. A `…` at the end stands for one line or more.
 * @returns What is left of the printed text, or undefined while something that is shown is missing.
 */
export function takeShown(shown: string, printed: string): string | undefined {
  const shownLines = nameHoles(shown)
    .split("\n")
    .filter((line) => line !== "");
  const patterns = shownLines.map((line) => new RegExp(`^${toPattern(line)}$`));
  const lines = printed.split("\n").map((line) => ({ line, named: nameHoles(line) }));
  if (patterns.length === 0 || !patterns.every((pattern) => lines.some(({ named }) => pattern.test(named))))
    return undefined;
  if (shownLines.length > 1 && shownLines.at(-1) === CUT) {
    const end = lines.findIndex(({ named }) => patterns.at(-2)?.test(named));
    if (!lines.slice(end + 1).some(({ line }) => line !== "")) return undefined;
  }
  const left = lines.filter(({ named }) => !patterns.some((pattern) => pattern.test(named)));
  return left.map(({ line }) => line).join("\n");
}

function toPattern(line: string): string {
  return line
    .split(CUT)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^\\n]*");
}
