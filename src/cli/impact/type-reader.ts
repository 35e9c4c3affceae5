import ts from "#typescript";

/** A type without `undefined`, taken apart. */
export interface Parts {
  readonly all: readonly ts.Type[];
  readonly objects: readonly ts.Type[];
  /** Everything else: texts, numbers, literals, null. */
  readonly plain: readonly ts.Type[];
}

/** What a comparison asks of types. */
export interface TypeReader {
  isAssignable(from: ts.Type, to: ts.Type): boolean;
  /** Alternatives of a union, or the type alone; none of `never` and `undefined`. */
  toParts(type: ts.Type): Parts;
  /** Type of an array's items; undefined where it is none. */
  toItems(type: ts.Type): ts.Type | undefined;
  /** Without the `undefined` of what is optional, so that a type is the same wherever it is met. */
  toType(property: ts.Symbol): ts.Type;
  isOptional(property: ts.Symbol): boolean;
  /** Whether no value of it was ever possible: `body?: never`. */
  isNothing(property: ts.Symbol): boolean;
  /** Whether it is not looked into: a class of the platform, such as `Blob`, a function or a tuple, which is the same as a whole or not. */
  isForeign(type: ts.Type): boolean;
  /** Whether a value may be of both types, so that code may ask which. */
  overlap(a: ts.Type, b: ts.Type): boolean;
  /** Alternatives, as a message has them. */
  show(types: readonly ts.Type[]): string;
}

/** Longest text of a type in a message. */
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
