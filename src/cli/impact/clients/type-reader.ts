import ts from "#typescript";

/** The alternatives of a type, without `undefined`. */
export interface Parts {
  readonly all: readonly ts.Type[];
  readonly objects: readonly ts.Type[];
  /** Everything else: strings, numbers, literals, null. */
  readonly plain: readonly ts.Type[];
}

/** Limits the length of a type in a message. */
const MOST_TEXT = 60;

/** Reads types for a comparison. */
export class TypeReader {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  isAssignable(from: ts.Type, to: ts.Type): boolean {
    return this.#checker.isTypeAssignableTo(from, to);
  }

  /** Tests whether a value may have both types. */
  overlap(a: ts.Type, b: ts.Type): boolean {
    return this.isAssignable(a, b) || this.isAssignable(b, a);
  }

  /** The alternatives of a union, or the type alone; empty for `never` and `undefined`. */
  toParts(type: ts.Type): Parts {
    const all = (type.isUnion() ? type.types : [type]).filter(
      ({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)),
    );
    return { all, objects: all.filter(isObject), plain: all.filter((part) => !isObject(part)) };
  }

  /** The type of an array's items; undefined for any other type. */
  toItems(type: ts.Type): ts.Type | undefined {
    if (!this.#checker.isArrayType(type)) return undefined;
    return this.#checker.getTypeArguments(type as ts.TypeReference)[0];
  }

  /** The type of a property without the `undefined` of optional ones, so that equal types are identical. */
  toType(property: ts.Symbol): ts.Type {
    const type = this.#checker.getTypeOfSymbol(property);
    const [part, ...others] = this.toParts(type).all;
    return part !== undefined && others.length === 0 ? part : type;
  }

  isOptional({ flags }: ts.Symbol): boolean {
    return (flags & ts.SymbolFlags.Optional) !== 0;
  }

  /** Tests whether a property has no possible value: `body?: never`. */
  isNothing(property: ts.Symbol): boolean {
    return this.toParts(this.toType(property)).all.length === 0;
  }

  /** Tests whether a type is compared only as a whole: a function, a tuple, or a class of the platform such as `Blob`. */
  isForeign(type: ts.Type): boolean {
    if (this.#checker.isTupleType(type) || type.getCallSignatures().length > 0) return true;
    const declarations = type.getSymbol()?.declarations ?? [];
    return declarations.some(({ parent }) => ts.isSourceFile(parent) && !ts.isExternalModule(parent));
  }

  /** Formats alternatives for a message. */
  show(types: readonly ts.Type[]): string {
    const texts = types.map((type) => this.#checker.typeToString(type));
    const text = texts.join(" | ").replace("false | true", "boolean");
    return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1)}…`;
  }
}

function isObject({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}
