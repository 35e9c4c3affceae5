import { countChoices, toRegExp as compile } from "tenon/core/schema";

/** Matching a pattern with more choices between optional parts, as bits, could take longer than some milliseconds. */
const MAX_CHOICES = 20;

/** Tests whether a match can take hours, because the pattern has many optional parts. */
export function isCostly(pattern: string): boolean {
  return countChoices(pattern) > MAX_CHOICES;
}

/** Compiles a pattern as the contract's validator does. Returns undefined for an invalid pattern. */
export function toRegExp(pattern: string): RegExp | undefined {
  try {
    return compile(pattern);
  } catch {
    return undefined;
  }
}

/** Classes, escapes, quantifiers with a least number, groups, and other characters. */
const TOKEN = /\[(?:\\[^]|[^\]\\])*\]|\\u\{\w*\}|\\[^]|\{(\d+)(?:,\d*)?\}|[^]/g;

/** Adds up the least length of texts that match all parts of a pattern, also of those that exclude each other. */
export function toLeastLength(pattern: string): number {
  const outer: number[] = [];
  let [length, last] = [0, 0];
  for (const [token, times] of pattern.matchAll(TOKEN)) {
    if (token === "(") {
      outer.push(length);
      length = 0;
      continue;
    }
    const added = token === ")" ? (outer.pop() ?? 0) : times === undefined ? 1 : last * (Number(times) - 1);
    last = token === ")" ? length : times === undefined ? 1 : last + added;
    length += Math.max(0, added);
  }
  return length;
}
