import ts from "#typescript";

/** The alternatives of a type, without `undefined`. */
export interface Parts {
  readonly all: readonly ts.Type[];
  readonly objects: readonly ts.Type[];
  /** Everything else: strings, numbers, literals, null. */
  readonly plain: readonly ts.Type[];
}

/** Reads types for a comparison. */
export interface TypeReader {
  isAssignable(from: ts.Type, to: ts.Type): boolean;
  /** The alternatives of a union, or the type alone; empty for `never` and `undefined`. */
  toParts(type: ts.Type): Parts;
  /** The type of an array's items; undefined for any other type. */
  toItems(type: ts.Type): ts.Type | undefined;
  /** The type of a property without the `undefined` of optional ones, so that equal types are identical. */
  toType(property: ts.Symbol): ts.Type;
  isOptional(property: ts.Symbol): boolean;
  /** Tests whether it has no possible value: `body?: never`. */
  isNothing(property: ts.Symbol): boolean;
  /** Tests whether it is compared only as a whole: a function, a tuple, or a class of the platform such as `Blob`. */
  isForeign(type: ts.Type): boolean;
  /** Tests whether a value may have both types. */
  overlap(a: ts.Type, b: ts.Type): boolean;
  /** Formats alternatives for a message. */
  show(types: readonly ts.Type[]): string;
}

/** Limits the length of a type in a message. */
const MOST_TEXT = 60;

export function createTypeReader(checker: ts.TypeChecker): TypeReader {
  const isAssignable = (from: ts.Type, to: ts.Type) => checker.isTypeAssignableTo(from, to);
  const toParts = (type: ts.Type): Parts => {
    const all = (type.isUnion() ? type.types : [type]).filter(
      ({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)),
    );
    return { all, objects: all.filter(isObject), plain: all.filter((part) => !isObject(part)) };
  };
  const toType = (property: ts.Symbol) => {
    const type = checker.getTypeOfSymbol(property);
    const [part, ...others] = toParts(type).all;
    return part !== undefined && others.length === 0 ? part : type;
  };
  return {
    isAssignable,
    toParts,
    toType,
    toItems: (type) =>
      checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined,
    isOptional: ({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0,
    isNothing: (property) => toParts(toType(property)).all.length === 0,
    isForeign: (type) =>
      checker.isTupleType(type) ||
      type.getCallSignatures().length > 0 ||
      type
        .getSymbol()
        ?.declarations?.some(({ parent }) => ts.isSourceFile(parent) && !ts.isExternalModule(parent)) ===
        true,
    overlap: (a, b) => isAssignable(a, b) || isAssignable(b, a),
    show: (types) => {
      const texts = types.map((type) => checker.typeToString(type));
      return shorten(texts.join(" | ").replace("false | true", "boolean"));
    },
  };
}

function isObject({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}

function shorten(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1)}…`;
}
