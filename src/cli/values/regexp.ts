import { hasManyChoices, toRegExp as compile } from "tenon/core/schema";

/** The parts of a pattern that decide how often its parts repeat: escapes and classes, groups, alternatives, quantifiers. */
const PART =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|(?<open>\()|(?<close>\))|(?<choice>\|)|(?<repetition>[*+]|\{\d+,\}|\{(?:\d+,)?\d{2,}\})/gu;

/** With more repetitions beside each other, trying all their lengths could take hours. */
const MAX_REPETITIONS = 3;

/** Shorter texts are matched in little time by patterns that repeat what repeats. */
const MAX_LENGTH = 20;

/**
 * Tests whether a match could take hours, because the pattern has many optional parts, or the text is long and the pattern repeats what
 * repeats. It runs in browsers, too, and also finds patterns that are fast.
 */
export function mayBeCostly(pattern: string, length: number): boolean {
  if (hasManyChoices(pattern)) return true;
  if (length <= MAX_LENGTH) return false;
  const open = [false];
  let [closed, end, repetitions] = [false, 0, 0];
  for (const { 0: part, index, groups: found = {} } of pattern.matchAll(PART)) {
    const isRepeated = index === end && closed;
    closed = false;
    end = index + part.length;
    if (found["open"] !== undefined) open.push(false);
    else if (found["close"] !== undefined && open.length > 1) {
      closed = open.pop() ?? false;
      open[open.length - 1] ||= closed;
    } else if (found["choice"] !== undefined) open[open.length - 1] = true;
    else if (found["repetition"] !== undefined) {
      repetitions += 1;
      if (isRepeated || repetitions > MAX_REPETITIONS) return true;
      open[open.length - 1] = true;
    }
  }
  return false;
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
