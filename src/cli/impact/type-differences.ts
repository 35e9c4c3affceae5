import type ts from "#typescript";
import { PairMap } from "./pair-map.js";
import type { TypeReader } from "./type-reader.js";

/** Who has the value: clients hand it over, or get it. */
export type Use = "sends" | "reads";

export interface Difference {
  /** Below the value that was compared: `.limit`, `[].name`; empty: the value itself. */
  readonly at: string;
  /** What follows the place in a sentence: `is required now`. */
  readonly message: string;
}

/** Most differences of one pair of types that are told: who has so many looks at the contract. */
const MOST = 20;

/** Compares types of the base with types of the revision. */
export interface TypeComparison {
  /** What code that has values of the one type has to mind when it is compiled with the other; empty: nothing. */
  compare(before: ts.Type, after: ts.Type): readonly Difference[];
}

const REQUIRED = "is required now";

interface Outcome {
  readonly differences: readonly Difference[];
  /** How far up the pairs under way are that it depends on; `Infinity`: on none. */
  readonly depends: number;
}

const NONE: Outcome = { differences: [], depends: Infinity };

/**
 * The compiler decides what is assignable; this walk finds where it is not, and sees what a literal would run into that
 * assignability alone forgives: a property that is not there any more.
 */
export function createTypeComparison(reader: TypeReader, use: Use): TypeComparison {
  const known = new PairMap<Outcome>();
  /** Pairs under way, and how deep they are: types refer to themselves. */
  const open = new PairMap<number>();
  /** Pairs that were looked at and depend on one under way, which will have their differences: to how deep that one is. */
  const told = new PairMap<number>();
  let depth = 0;

  function visit(before: ts.Type, after: ts.Type): Outcome {
    if (before === after) return NONE;
    const found = known.get(before, after);
    if (found !== undefined) return found;
    const above = open.get(before, after) ?? told.get(before, after);
    if (above !== undefined) return { differences: [], depends: above };
    const own = depth++;
    const size = told.size;
    open.set(before, after, own);
    const { differences, depends } = look(before, after, own);
    open.pop();
    depth = own;
    const outcome = { differences: differences.slice(0, MOST), depends: depends >= own ? Infinity : depends };
    if (outcome.depends === Infinity) {
      // Whoever asks for one of these first has to find what is told here.
      told.shrink(size);
      known.set(before, after, outcome);
    } else told.set(before, after, depends);
    return outcome;
  }

  function look(before: ts.Type, after: ts.Type, own: number): Outcome {
    const [old, current] = [reader.toParts(before), reader.toParts(after)];
    // What nobody could send, nobody sends.
    if (use === "sends" && old.all.length === 0) return NONE;
    if (current.all.length === 0 && old.all.length > 0) {
      return tell(use === "sends" ? "is not taken any more" : "is not there any more");
    }
    const isFine =
      use === "sends"
        ? old.all.every((type) => reader.isAssignable(type, after))
        : current.all.every((type) => reader.isAssignable(type, before));
    const plain = comparePlain(old.plain, current.plain, isFine);
    const objects = compareObjects(old.objects, current.objects);
    const outcome = merge([plain, objects]);
    // What is not fine because of a pair above is told there.
    if (isFine || outcome.differences.length > 0 || outcome.depends < own) return outcome;
    return tell(`was ${reader.show([before])}, and is ${reader.show([after])} now`);
  }

  /** Texts, numbers, null: by each value or type. */
  function comparePlain(before: readonly ts.Type[], after: readonly ts.Type[], isFine: boolean): Outcome {
    const gone = before.filter((type) => !after.some((other) => reader.overlap(type, other)));
    if (!isFine && gone.length > 0 && gone.length === before.length && after.length > 0)
      return tell(`was ${reader.show(before)}, and is ${reader.show(after)} now`);
    if (use === "sends")
      return merge(
        findStrange(before, after, isFine).map((type) =>
          tell(`does not take ${reader.show([type])} any more`),
        ),
      );
    return merge([
      ...findStrange(after, before, isFine).map((type) => tell(`can be ${reader.show([type])} now`)),
      // A comparison with what a value never is does not compile.
      ...gone.map((type) => tell(`is never ${reader.show([type])} any more`)),
    ]);
  }

  function findStrange(
    from: readonly ts.Type[],
    to: readonly ts.Type[],
    isFine: boolean,
  ): readonly ts.Type[] {
    return isFine ? [] : from.filter((type) => !to.some((other) => reader.isAssignable(type, other)));
  }

  function compareObjects(before: readonly ts.Type[], after: readonly ts.Type[]): Outcome {
    const [one, ...others] = before;
    const [other, ...rest] = after;
    if (one !== undefined && other !== undefined && others.length + rest.length === 0)
      return compareObject(one, other);
    // Alternatives: each has to find itself again.
    const gone = before.filter((type) => !after.some((candidate) => reader.overlap(type, candidate)));
    if (use === "sends")
      return merge(
        findStrange(before, after, false).map((type) =>
          tell(`does not take ${reader.show([type])} any more`),
        ),
      );
    return merge([
      ...findStrange(after, before, false).map((type) => tell(`can be ${reader.show([type])} now`)),
      ...gone.map((type) => tell(`is never ${reader.show([type])} any more`)),
    ]);
  }

  function compareObject(before: ts.Type, after: ts.Type): Outcome {
    const [items, itemsNow] = [reader.toItems(before), reader.toItems(after)];
    if (items && itemsNow) return below("[]", visit(items, itemsNow));
    if (reader.isForeign(before) || items || itemsNow) return NONE;
    const [others, othersNow] = [before.getStringIndexType(), after.getStringIndexType()];
    const names = new Set(after.getProperties().map(({ name }) => name));
    return merge([
      ...before.getProperties().map((property) => {
        names.delete(property.name);
        return compareProperty(property, after.getProperty(property.name), othersNow !== undefined);
      }),
      ...[...names].map((name) => {
        const property = after.getProperty(name);
        if (use === "reads" || property === undefined || reader.isOptional(property)) return NONE;
        return below(`.${name}`, tell(REQUIRED));
      }),
      ...(others && othersNow ? [below("[…]", visit(others, othersNow))] : []),
    ]);
  }

  function compareProperty(before: ts.Symbol, after: ts.Symbol | undefined, isOpen: boolean): Outcome {
    const at = `.${before.name}`;
    if (after === undefined) {
      if (isOpen || reader.isNothing(before)) return NONE;
      return below(at, tell(use === "sends" ? "is not taken any more" : "is not there any more"));
    }
    const inner = visit(reader.toType(before), reader.toType(after));
    const [optional, optionalNow] = [reader.isOptional(before), reader.isOptional(after)];
    if (use === "reads" && !optional && optionalNow)
      return below(at, merge([tell("may be missing now"), inner]));
    // Parameters are in an object that is required because one of them is, which is told of that one.
    const isTold = inner.differences.some(({ message }) => message === REQUIRED);
    if (use === "sends" && optional && !optionalNow && !isTold)
      return below(at, merge([tell(REQUIRED), inner]));
    return below(at, inner);
  }

  return { compare: (before, after) => visit(before, after).differences };
}

function tell(message: string): Outcome {
  return { differences: [{ at: "", message }], depends: Infinity };
}

function below(at: string, { differences, depends }: Outcome): Outcome {
  return { differences: differences.map((found) => ({ ...found, at: at + found.at })), depends };
}

function merge(outcomes: readonly Outcome[]): Outcome {
  return {
    differences: outcomes.flatMap(({ differences }) => differences),
    depends: Math.min(Infinity, ...outcomes.map(({ depends }) => depends)),
  };
}
