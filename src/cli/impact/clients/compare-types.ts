import type ts from "#typescript";
import {
  below,
  type Difference,
  differ,
  merge,
  NO_DIFFERENCE,
  type Outcome,
  RecursiveComparison,
} from "./recursive-comparison.js";
import type { Parts, TypeReader } from "./type-reader.js";

/** Direction of the value: clients send it or read it. */
export type Use = "sends" | "reads";

const REQUIRED = "is required now";
const REMOVED: Readonly<Record<Use, string>> = { sends: "is no longer accepted", reads: "was removed" };

/**
 * Compares types of the base with types of the revision. The compiler decides what is assignable; the comparison finds where it
 * is not, and reports removed properties, which assignability allows and literals do not.
 */
export class TypeComparison {
  readonly reader: TypeReader;
  readonly #use: Use;
  readonly #pairs = new RecursiveComparison();

  constructor(reader: TypeReader, use: Use) {
    this.reader = reader;
    this.#use = use;
  }

  /** The differences that code with values of the one type runs into when it is compiled with the other. */
  compare(before: ts.Type, after: ts.Type): readonly Difference[] {
    return this.#visit(before, after).differences;
  }

  #visit(before: ts.Type, after: ts.Type): Outcome {
    return this.#pairs.visit(before, after, (depth) => this.#compareParts(before, after, depth));
  }

  #compareParts(before: ts.Type, after: ts.Type, depth: number): Outcome {
    const reader = this.reader;
    const [old, current] = [reader.toParts(before), reader.toParts(after)];
    // No client can have sent a value of an empty type.
    if (this.#use === "sends" && old.all.length === 0) return NO_DIFFERENCE;
    if (current.all.length === 0 && old.all.length > 0) return differ(REMOVED[this.#use]);
    const isFine =
      this.#use === "sends"
        ? old.all.every((type) => reader.isAssignable(type, after))
        : current.all.every((type) => reader.isAssignable(type, before));
    const outcome = merge([
      this.#comparePlain(old.plain, current.plain, isFine),
      this.#compareObjects(old, current),
    ]);
    // An unfinished pair above reports what makes this one fail.
    if (isFine || outcome.differences.length > 0 || outcome.depends < depth) return outcome;
    return this.#replaced([before], [after]);
  }

  /** Compares strings, numbers, null by each value or type. */
  #comparePlain(before: readonly ts.Type[], after: readonly ts.Type[], isFine: boolean): Outcome {
    const gone = this.#findGone(before, after);
    if (!isFine && gone.length > 0 && gone.length === before.length && after.length > 0)
      return this.#replaced(before, after);
    return this.#compareAlternatives(before, after, isFine);
  }

  #compareObjects({ objects: before }: Parts, { objects: after }: Parts): Outcome {
    const [one, ...others] = before;
    const [other, ...rest] = after;
    if (one !== undefined && other !== undefined && others.length + rest.length === 0)
      return this.#compareObject(one, other);
    return this.#compareAlternatives(before, after, false);
  }

  /** Each alternative must fit one of the other side. */
  #compareAlternatives(before: readonly ts.Type[], after: readonly ts.Type[], isFine: boolean): Outcome {
    const reader = this.reader;
    const [from, to] = this.#use === "sends" ? [before, after] : [after, before];
    const strange = isFine
      ? []
      : from.filter((type) => !to.some((other) => reader.isAssignable(type, other)));
    if (this.#use === "sends")
      return merge(strange.map((type) => differ(`no longer accepts ${reader.show([type])}`)));
    return merge([
      ...strange.map((type) => differ(`can be ${reader.show([type])} now`)),
      // A comparison with a value that never occurs does not compile.
      ...this.#findGone(before, after).map((type) => differ(`can no longer be ${reader.show([type])}`)),
    ]);
  }

  #findGone(before: readonly ts.Type[], after: readonly ts.Type[]): readonly ts.Type[] {
    return before.filter((type) => !after.some((other) => this.reader.overlap(type, other)));
  }

  #replaced(before: readonly ts.Type[], after: readonly ts.Type[]): Outcome {
    return differ(`changed from ${this.reader.show(before)} to ${this.reader.show(after)}`);
  }

  #compareObject(before: ts.Type, after: ts.Type): Outcome {
    const reader = this.reader;
    const [items, itemsNow] = [reader.toItems(before), reader.toItems(after)];
    if (items && itemsNow) return below("[]", this.#visit(items, itemsNow));
    if (reader.isForeign(before) || items || itemsNow) return NO_DIFFERENCE;
    const [others, othersNow] = [before.getStringIndexType(), after.getStringIndexType()];
    const old = before.getProperties();
    const names = new Set(old.map(({ name }) => name));
    const added = after.getProperties().filter(({ name }) => !names.has(name));
    return merge([
      ...old.map((property) =>
        this.#compareProperty(property, after.getProperty(property.name), othersNow !== undefined),
      ),
      ...added.map((property) =>
        this.#use === "reads" || reader.isOptional(property)
          ? NO_DIFFERENCE
          : below(`.${property.name}`, differ(REQUIRED)),
      ),
      ...(others && othersNow ? [below("[…]", this.#visit(others, othersNow))] : []),
    ]);
  }

  #compareProperty(before: ts.Symbol, after: ts.Symbol | undefined, isOpen: boolean): Outcome {
    const reader = this.reader;
    const at = `.${before.name}`;
    if (after === undefined)
      return isOpen || reader.isNothing(before) ? NO_DIFFERENCE : below(at, differ(REMOVED[this.#use]));
    const inner = this.#visit(reader.toType(before), reader.toType(after));
    const [optional, optionalNow] = [reader.isOptional(before), reader.isOptional(after)];
    if (this.#use === "reads" && !optional && optionalNow)
      return below(at, merge([differ("may be missing now"), inner]));
    // An object of parameters is required because one of them is, which is reported there.
    const isReported = inner.differences.some(({ message }) => message === REQUIRED);
    if (this.#use === "sends" && optional && !optionalNow && !isReported)
      return below(at, merge([differ(REQUIRED), inner]));
    return below(at, inner);
  }
}
