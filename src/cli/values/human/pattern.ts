import fc, { type Arbitrary } from "fast-check";

/** Readable characters of classes with many. */
const READABLE: Readonly<Record<string, string>> = {
  ".": "[a-z]",
  "\\S": "[a-z\\d]",
  "\\w": "[a-z\\d]",
  "\\D": "[a-z]",
  "\\s": " ",
};

/**
 * Makes texts that usually match a regular expression, of readable characters if possible.
 * @returns undefined for an expression that fast-check does not support: one with a look-ahead, for example.
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

/** Anchors a pattern at both ends. */
function toWhole(pattern: string): string {
  const outside = pattern.replace(TOKEN, (token) => (token === "." ? token : ""));
  if (/.\^|\$.|\|/.test(outside)) return pattern;
  return `${pattern.startsWith("^") ? "" : "^"}${pattern}${outside.endsWith("$") ? "" : "$"}`;
}

/** Matches classes and escapes as a whole, so that a dot within one is not a dot. */
const TOKEN = /\[(?:\\[^]|[^\]\\])*\]|\\[^]|\./g;

function toReadable(pattern: string): string {
  return pattern.replace(TOKEN, (token) => (token.startsWith("[^") ? "[a-z]" : (READABLE[token] ?? token)));
}
