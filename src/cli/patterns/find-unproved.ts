/** The parts of a pattern that decide which groups repeat: escapes and classes, groups, quantifiers without a maximum. */
const PART =
  /\\k<(?<name>[^>]*)>|\\(?<number>[1-9]\d*)|\\[^]|\[(?:\\[^]|[^\]\\])*\]|(?<open>\((?:\?(?:<?[=!]|[a-z-]*:|<(?<own>[^>]*)>))?)|(?<close>\))|(?<repetition>[*+]|\{\d+,\})/gu;

interface Group {
  readonly isLookaround: boolean;
  /** Contains a quantifier without a maximum. */
  repeats: boolean;
  /** Contains a lookaround that repeats. */
  looks: boolean;
}

/**
 * Finds a back reference to a group that repeats, and a lookaround that repeats within a repetition. recheck does not prove these, and
 * may not find a text for which they take quadratic time.
 */
export function findUnproved(pattern: string): string | undefined {
  const groups = new Map<string, Group>();
  const references: string[] = [];
  const whole: Group = { isLookaround: false, repeats: false, looks: false };
  const open = [whole];
  let closed: Group | undefined;
  let count = 0;
  let end = 0;
  for (const { 0: part, index, groups: found = {} } of pattern.matchAll(PART)) {
    const last = index === end ? closed : undefined;
    const inner = open.at(-1) ?? whole;
    closed = undefined;
    end = index + part.length;
    if (found["open"] !== undefined) {
      const group = { isLookaround: /^\(\?<?[=!]/.test(part), repeats: false, looks: false };
      if (part === "(" || found["own"] !== undefined) groups.set(String((count += 1)), group);
      if (found["own"] !== undefined) groups.set(found["own"], group);
      open.push(group);
    } else if (found["close"] !== undefined && open.length > 1) {
      closed = open.pop();
      const outer = open.at(-1) ?? whole;
      outer.repeats ||= inner.repeats;
      outer.looks ||= inner.looks || (inner.isLookaround && inner.repeats);
    } else if (found["repetition"] !== undefined) {
      if (last?.looks === true) return "repeats a lookaround that contains a repetition";
      inner.repeats = true;
    } else references.push(found["name"] ?? found["number"] ?? "");
  }
  return references.some((name) => groups.get(name)?.repeats === true)
    ? "has a back reference to a group that contains a repetition"
    : undefined;
}
