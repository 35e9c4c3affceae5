import fc, { type Arbitrary } from "fast-check";

/** What a class of many characters stands for: readable ones of it. */
const READABLE: Readonly<Record<string, string>> = {
  ".": "[a-z]",
  "\\S": "[a-z\\d]",
  "\\w": "[a-z\\d]",
  "\\D": "[a-z]",
  "\\s": " ",
};

/**
 * Texts that a regular expression matches, as a rule, of readable characters where it leaves the choice.
 * @returns undefined for an expression that fast-check cannot read, with a look-ahead for example.
 */
export function toMatching(pattern: string): Arbitrary<string> | undefined {
  const whole = toWhole(pattern);
  const sources = [toReadable(whole), whole, pattern].flatMap((source) => toArbitrary(source) ?? []);
  const [first, ...others] = sources;
  if (first === undefined) return undefined;
  return others.length === 0 ? first : fc.oneof(first, ...others);
}

function toArbitrary(source: string): Arbitrary<string> | undefined {
  for (const flags of ["u", ""]) {
    try {
      return fc.stringMatching(new RegExp(source, flags), { size: "xsmall" });
    } catch {
      continue;
    }
  }
  return undefined;
}

/** What may have anything before or after it has nothing there. */
function toWhole(pattern: string): string {
  const outside = pattern.replace(TOKEN, (token) => (token === "." ? token : ""));
  if (/.\^|\$.|\|/.test(outside)) return pattern;
  return `${pattern.startsWith("^") ? "" : "^"}${pattern}${outside.endsWith("$") ? "" : "$"}`;
}

/** Classes and escapes as wholes, so that a dot within one stays what it is. */
const TOKEN = /\[(?:\\[^]|[^\]\\])*\]|\\[^]|\./g;

function toReadable(pattern: string): string {
  return pattern.replace(TOKEN, (token) => (token.startsWith("[^") ? "[a-z]" : (READABLE[token] ?? token)));
}
