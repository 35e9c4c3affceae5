/**
 * Counts what a backtracking engine such as V8's does with a regular expression: an exact number, where a clock on a shared
 * machine proves nothing.
 */

/** Matches from a position, and calls `then` with each position at which it may end, until that says true. */
type Matcher = (at: number, then: (end: number) => boolean) => boolean;

interface Run {
  readonly text: string;
  steps: number;
}

/** Character classes and escapes, which the engine itself judges one character at a time. */
const ATOM =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[^]|[^])/;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})(\?)?/;

export interface Counted {
  /** How often a character was looked at. */
  readonly steps: number;
  readonly isFound: boolean;
}

/**
 * Searches a text for a pattern, as the engine does: from every position unless the pattern is sticky, and when it is global
 * again and again.
 * @throws for syntax that is not counted: back references and looking behind.
 */
export function countSteps({ source, flags }: RegExp, text: string): Counted {
  const run: Run = { text, steps: 0 };
  const match = parse(source, flags, run);
  const starts = flags.includes("y") ? 1 : text.length + 1;
  let isFound = false;
  for (let start = 0; start < starts; start++) {
    let end = start;
    if (!match(start, (at) => (end = at) >= 0)) continue;
    isFound = true;
    if (!flags.includes("g")) break;
    start = Math.max(start, end - 1);
  }
  return { steps: run.steps, isFound };
}

function parse(source: string, flags: string, run: Run): Matcher {
  let index = 0;
  const rest = (): string => source.slice(index);
  const charFlags = flags.replace(/[gy]/g, "");

  function alternatives(): Matcher {
    const options = [sequence()];
    while (source[index] === "|") {
      index += 1;
      options.push(sequence());
    }
    return (at, then) => options.some((option) => option(at, then));
  }

  function sequence(): Matcher {
    const items: Matcher[] = [];
    while (index < source.length && source[index] !== "|" && source[index] !== ")")
      items.push(quantified(item()));
    return items.reduceRight<Matcher>(
      (next, item) => (at, then) => item(at, (end) => next(end, then)),
      (at, then) => then(at),
    );
  }

  function item(): Matcher {
    if (source[index] === "(") return group();
    if (source[index] === "^") return anchor((at) => at === 0);
    if (source[index] === "$") return anchor((at) => at === run.text.length);
    const [atom = ""] = ATOM.exec(rest()) ?? [];
    if (/^\\[bBk1-9]/.test(atom)) throw new Error(`Not counted: ${atom} in ${source}`);
    index += atom.length;
    const is = new RegExp(`^${atom}$`, charFlags);
    const known = new Map<string, boolean>();
    return (at, then) => {
      run.steps += 1;
      if (at >= run.text.length) return false;
      const character = run.text.charAt(at);
      let fits = known.get(character);
      if (fits === undefined) known.set(character, (fits = is.test(character)));
      return fits && then(at + 1);
    };
  }

  function anchor(holds: (at: number) => boolean): Matcher {
    index += 1;
    return (at, then) => {
      run.steps += 1;
      return holds(at) && then(at);
    };
  }

  function group(): Matcher {
    const [opening = ""] = /^\((?:\?(?:[:=!]|<[^=!][^>]*>))?/.exec(rest()) ?? [];
    if (opening === "(" && rest().startsWith("(?")) throw new Error(`Not counted: ${rest()}`);
    index += opening.length;
    const inner = alternatives();
    index += 1;
    if (opening === "(?=") return (at, then) => inner(at, () => true) && then(at);
    if (opening === "(?!") return (at, then) => !inner(at, () => true) && then(at);
    return inner;
  }

  function quantified(inner: Matcher): Matcher {
    const [text = "", least, range, most, lazy] = QUANTIFIER.exec(rest()) ?? [];
    if (text === "") return inner;
    index += text.length;
    const minimum = least === undefined ? (text.startsWith("+") ? 1 : 0) : Number(least);
    const bounded = least !== undefined && (range === undefined || most !== "");
    const maximum = text.startsWith("?")
      ? 1
      : bounded
        ? Number(range === undefined ? least : most)
        : Infinity;
    const repeat = (at: number, count: number, then: (end: number) => boolean): boolean => {
      const more = (): boolean =>
        count < maximum && inner(at, (end) => (end > at || count < minimum) && repeat(end, count + 1, then));
      const stop = (): boolean => count >= minimum && then(at);
      return lazy === undefined ? more() || stop() : stop() || more();
    };
    return (at, then) => repeat(at, 0, then);
  }

  return alternatives();
}
