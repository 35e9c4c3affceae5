import { joinPointer, type Node } from "tenon/core/document";

/**
 * A schema for openapi-typescript, with the few keywords for which it emits the right type. It has one of `$ref`, `const`, `anyOf`,
 * `allOf`, or `type` with its related keywords. An empty schema allows anything. Other types are an {@link Extension}.
 */
export type TypedSchema = Node;

/** A type that openapi-typescript cannot express; `types.ts` creates it. */
export type Extension =
  /** A named type, which types.ts declares or imports. */
  | { readonly kind: "named"; readonly name: string }
  /** Any value but undefined, so that an optional property of another part becomes required. */
  | { readonly kind: "defined" }
  /** Items one by one: an async iterable, or a synchronous one. */
  | { readonly kind: "items"; readonly item: TypedSchema; readonly sync?: true }
  | {
      readonly kind: "tuple";
      /** Types of the items; the first `required` ones are required. */
      readonly items: readonly TypedSchema[];
      readonly required: number;
      /** Type of further items; absent if there are none. */
      readonly rest?: TypedSchema;
    };

const EXTENSION = "x-tenon";

/** Creates a reference that openapi-typescript can follow: `#/components/schemas/Pet`. */
export function toReference(kind: string, name: string): string {
  return joinPointer("#/components", kind, encodeName(name));
}

export function referTo(reference: string): TypedSchema {
  return { $ref: reference };
}

/** Returns the reference to a component if the typed schema is one. */
export function getReference(schema: TypedSchema): string | undefined {
  return schema["$ref"] as string | undefined;
}

export const ANY: TypedSchema = {};
export const NULL: TypedSchema = { type: "null" };

export function extension(content: Extension): TypedSchema {
  return { type: EXTENSION, [EXTENSION]: content };
}

export function getExtension(schema: TypedSchema): Extension | undefined {
  return schema["type"] === EXTENSION ? (schema[EXTENSION] as Extension) : undefined;
}

export const NEVER = extension({ kind: "named", name: "never" });

/** Creates literal types. A single one is in `anyOf` too, because openapi-typescript adds a comment to a bare constant. */
export function literals(values: readonly unknown[]): TypedSchema {
  return { anyOf: values.map((value) => (value === null ? NULL : { const: value })) };
}

const isAny = (schema: TypedSchema): boolean => Object.keys(schema).length === 0;

/** Creates an intersection of the schemas. */
export function intersect(schemas: readonly TypedSchema[]): TypedSchema {
  const parts = schemas
    .filter((schema) => !isAny(schema))
    .flatMap((schema) => ("allOf" in schema ? (schema["allOf"] as readonly TypedSchema[]) : [schema]));
  const [first = ANY, ...others] = parts;
  if (parts.includes(NEVER)) return NEVER;
  return others.length === 0 ? first : { allOf: parts };
}

/** Creates a union of the schemas. */
export function unite(schemas: readonly TypedSchema[]): TypedSchema {
  const choices = schemas
    .filter((schema) => schema !== NEVER)
    .flatMap((schema) => ("anyOf" in schema ? (schema["anyOf"] as readonly TypedSchema[]) : [schema]));
  const [first = NEVER, ...others] = choices;
  if (choices.some(isAny)) return ANY;
  // A single reference stays in `anyOf`, because a base may list a single descendant.
  return others.length === 0 && "type" in first ? first : { anyOf: choices };
}

/** Names that openapi-typescript misreads, because it treats names as parts of JSON pointers. */
const HOSTILE = /[%#]|^$|^\uE000/;

/** A private-use character, which documents rarely contain; names with it are encoded too. */
export const NAME_MARK = "\uE000";

/**
 * Encodes a name that openapi-typescript would change: `100%` becomes a mark and the codes of its characters. Other names stay
 * unchanged. {@link decodeName} restores it in the syntax tree.
 */
export function encodeName(name: string): string {
  if (!HOSTILE.test(name)) return name;
  const codes = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index).toString(16));
  return NAME_MARK + codes.join("-");
}

export function isEncodedName(name: string): boolean {
  return name.startsWith(NAME_MARK);
}

export function decodeName(name: string): string {
  if (!isEncodedName(name)) return name;
  const codes = name.slice(NAME_MARK.length).split("-");
  return codes.map((code) => (code === "" ? "" : String.fromCharCode(Number.parseInt(code, 16)))).join("");
}
