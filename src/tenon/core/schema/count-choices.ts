/** The parts of a pattern that decide how many ways to match it has: escapes and classes, groups, quantifiers. */
const PART =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|(?<open>\((?:\?(?:<?[=!]|[a-z-]*:|<[^>]*>))?)|(?<close>\))|(?:(?<optional>\?)|\{(?<least>\d+)(?:,(?<most>\d+))?\}|[*+]|\{\d+,\})\??/gu;

/**
 * Counts the choices between numbers of repetitions that a pattern has, without those that have no maximum: `a?b{0,3}` has 3, as bits.
 * They exclude each other in most patterns, but in `^a?a?a?aaa$` they do not.
 */
export function countChoices(pattern: string): number {
  const open = [0];
  let closed = 0;
  let end = 0;
  for (const { 0: part, index, groups: found = {} } of pattern.matchAll(PART)) {
    const repeated = index === end ? closed : 0;
    closed = 0;
    end = index + part.length;
    if (found["open"] !== undefined) open.push(0);
    else if (found["close"] !== undefined && open.length > 1) {
      closed = open.pop() ?? 0;
      add(closed);
    } else if (found["optional"] !== undefined) add(1);
    else if (found["least"] !== undefined) {
      const least = Number(found["least"]);
      const most = Number(found["most"] ?? least);
      add(Math.log2(most - least + 1) + repeated * Math.max(0, most - 1));
    }
  }
  return open.reduce((all, bits) => all + bits, 0);

  function add(bits: number): void {
    open[open.length - 1] = (open.at(-1) ?? 0) + bits;
  }
}

/** With more choices between optional parts, as bits, matching a short text can take hours. */
const MAX_CHOICES = 20;

/** Tests whether a pattern has too many optional parts to match a text in reasonable time. */
export function hasManyChoices(pattern: string): boolean {
  return countChoices(pattern) > MAX_CHOICES;
}
