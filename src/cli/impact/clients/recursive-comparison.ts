import type ts from "#typescript";

export interface Difference {
  /** Below the compared value: `.limit`, `[].name`; empty for the value itself. */
  readonly at: string;
  /** The rest of a sentence that begins with the place: `is required now`. */
  readonly message: string;
}

/** The result of comparing two types. */
export interface Outcome {
  readonly differences: readonly Difference[];
  /** Depth of the outermost unfinished comparison that it depends on; `Infinity` when it depends on none. */
  readonly depends: number;
}

export const NO_DIFFERENCE: Outcome = { differences: [], depends: Infinity };

export function differ(message: string): Outcome {
  return { differences: [{ at: "", message }], depends: Infinity };
}

export function below(at: string, { differences, depends }: Outcome): Outcome {
  return { differences: differences.map((found) => ({ ...found, at: at + found.at })), depends };
}

export function merge(outcomes: readonly Outcome[]): Outcome {
  return {
    differences: outcomes.flatMap(({ differences }) => differences),
    depends: Math.min(Infinity, ...outcomes.map(({ depends }) => depends)),
  };
}

/** Limits the reported differences of one pair of types. */
const MOST_DIFFERENCES = 20;

/** Compares types that refer to themselves: each pair once, and a pair within itself not at all. */
export class RecursiveComparison {
  readonly #known = new PairMap<Outcome>();
  /** Unfinished pairs, with their depth. */
  readonly #open = new PairMap<number>();
  /** Finished pairs that depend on an unfinished one, which reports their differences, with that one's depth. */
  readonly #dependent = new PairMap<number>();
  #depth = 0;

  /** @param compare Compares the parts of both types; gets the depth of the pair. */
  visit(before: ts.Type, after: ts.Type, compare: (depth: number) => Outcome): Outcome {
    if (before === after) return NO_DIFFERENCE;
    const known = this.#known.get(before, after);
    if (known !== undefined) return known;
    const above = this.#open.get(before, after) ?? this.#dependent.get(before, after);
    if (above !== undefined) return { differences: [], depends: above };
    const own = this.#depth++;
    const size = this.#dependent.size;
    this.#open.set(before, after, own);
    const { differences, depends } = compare(own);
    this.#open.shrink(this.#open.size - 1);
    this.#depth = own;
    const outcome = {
      differences: differences.slice(0, MOST_DIFFERENCES),
      depends: depends >= own ? Infinity : depends,
    };
    if (outcome.depends === Infinity) {
      // A later comparison that starts at one of these pairs has to report its differences itself.
      this.#dependent.shrink(size);
      this.#known.set(before, after, outcome);
    } else this.#dependent.set(before, after, depends);
    return outcome;
  }
}

/** A map whose keys are two types, in the order in which they were added. */
class PairMap<Value> {
  readonly #values = new Map<ts.Type, Map<ts.Type, Value>>();
  readonly #order: (readonly [ts.Type, ts.Type])[] = [];

  get size(): number {
    return this.#order.length;
  }

  get(before: ts.Type, after: ts.Type): Value | undefined {
    return this.#values.get(before)?.get(after);
  }

  set(before: ts.Type, after: ts.Type, value: Value): void {
    const values = this.#values.get(before) ?? new Map<ts.Type, Value>();
    this.#values.set(before, values.set(after, value));
    this.#order.push([before, after]);
  }

  /** Removes the pairs that were added last. */
  shrink(size: number): void {
    for (const [before, after] of this.#order.splice(size)) this.#values.get(before)?.delete(after);
  }
}
