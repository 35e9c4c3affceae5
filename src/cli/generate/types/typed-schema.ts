import type { Node } from "tenon/core/legacy/document";

/**
 * A schema in the few words that openapi-typescript turns into the right type, each alone: `$ref`, `const`, `anyOf`, `allOf`,
 * or one `type` with what belongs to it. No words at all allow anything. What none of them can say is an extension.
 */
export type TypedSchema = Node;

/** What openapi-typescript has no words for; `types.ts` makes the type. */
export type Extension =
  /** A type by its name, which types.ts declares or imports. */
  | { readonly kind: "named"; readonly name: string }
  /** Any value, so that an optional property of another part becomes a required one. */
  | { readonly kind: "defined" }
  | {
      readonly kind: "tuple";
      /** Of these, the first `required` must be there. */
      readonly items: readonly TypedSchema[];
      readonly required: number;
      /** Of what comes after them; absent when nothing does. */
      readonly rest?: TypedSchema;
    };

const EXTENSION = "x-tenon";

export const ANY: TypedSchema = {};
export const NULL: TypedSchema = { type: "null" };

export function extension(content: Extension): TypedSchema {
  return { type: EXTENSION, [EXTENSION]: content };
}

export function getExtension(schema: TypedSchema): Extension | undefined {
  return schema["type"] === EXTENSION ? (schema[EXTENSION] as Extension) : undefined;
}

export const NEVER = extension({ kind: "named", name: "never" });

/** Literal types. A single one is a choice too: openapi-typescript comments a bare constant. */
export function literals(values: readonly unknown[]): TypedSchema {
  return { anyOf: values.map((value) => (value === null ? NULL : { const: value })) };
}

const isAny = (schema: TypedSchema): boolean => Object.keys(schema).length === 0;

/** What all of the schemas allow. */
export function intersect(schemas: readonly TypedSchema[]): TypedSchema {
  const parts = schemas
    .filter((schema) => !isAny(schema))
    .flatMap((schema) => ("allOf" in schema ? (schema["allOf"] as readonly TypedSchema[]) : [schema]));
  const [first = ANY, ...others] = parts;
  if (parts.includes(NEVER)) return NEVER;
  return others.length === 0 ? first : { allOf: parts };
}

/** What one of the schemas allows. */
export function unite(schemas: readonly TypedSchema[]): TypedSchema {
  const choices = schemas
    .filter((schema) => schema !== NEVER)
    .flatMap((schema) => ("anyOf" in schema ? (schema["anyOf"] as readonly TypedSchema[]) : [schema]));
  const [first = NEVER, ...others] = choices;
  if (choices.some(isAny)) return ANY;
  // A single reference stays a choice, because a base may list a single descendant.
  return others.length === 0 && "type" in first ? first : { anyOf: choices };
}
