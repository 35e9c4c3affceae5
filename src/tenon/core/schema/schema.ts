import type { Lifecycle } from "../document/lifecycle.js";
import type { JsonType } from "./json-value.js";

/**
 * A schema in the one dialect that everyone but the reader knows, JSON Schema 2020-12:
 * - `type` is a list, and what only means a type by its other keywords has it;
 * - OpenAPI 3.0's `nullable` is a type or an alternative, its boolean bounds are numbers, the ignored siblings of `$ref` are gone;
 * - `const` is an `enum` of one, `example` one of the `examples`;
 * - a hierarchy of `allOf` and `discriminator` is the union that it means;
 * - `true` is a schema without keywords, `false` one with `never`.
 *
 * Values of keywords are as the document has them; only their names are known to be right.
 */
export interface Schema extends Assertions, Applicators, Annotations {
  /** JSON pointer of the author's schema in the document. */
  readonly pointer: string;
  /** Key of another schema in the {@link SchemaRegistry}. Everything beside it holds, too. */
  readonly reference?: string;
  /** Allows nothing. */
  readonly never?: true;
}

/** @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6 */
export interface Assertions {
  readonly type?: readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
}

/** Keywords whose values are schemas. */
export interface Applicators {
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema;
  readonly contains?: Schema;
  readonly unevaluatedItems?: Schema;
  /** Made by `Object.fromEntries`: `__proto__` is a name like any other. */
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly unevaluatedProperties?: Schema;
  readonly dependentSchemas?: Readonly<Record<string, Schema>>;
}

/** What a schema says beside which values are valid. */
export interface Annotations {
  readonly title?: string;
  readonly description?: string;
  /** Present when the schema has one, whatever its value. */
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly readOnly?: true;
  readonly writeOnly?: true;
  /** Absent: stable and not deprecated. */
  readonly lifecycle?: Lifecycle;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  readonly discriminator?: DiscriminatorKeyword;
}

/** @see https://spec.openapis.org/oas/v3.1.0#discriminator-object */
export interface DiscriminatorKeyword {
  readonly propertyName: string;
  /** Values to references of schemas. */
  readonly mapping: readonly (readonly [value: string, reference: string])[];
}

/** A schema that allows anything. */
export function anything(pointer: string): Schema {
  return { pointer };
}

/** Whether a schema has no keyword that restricts which values are valid. */
export function isAnything(schema: Schema): boolean {
  return Object.keys(schema).every((key) => ANNOTATIONS.has(key));
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...["pointer", "title", "description", "default", "examples", "readOnly", "writeOnly", "lifecycle"],
  ...["contentMediaType", "contentEncoding", "discriminator"],
]);

/** Keywords by what their values are. */
export const SCHEMA_KEYWORDS = {
  single: [
    ...(["not", "if", "then", "else", "items", "contains", "unevaluatedItems"] as const),
    ...(["additionalProperties", "propertyNames", "unevaluatedProperties"] as const),
  ],
  lists: ["allOf", "anyOf", "oneOf", "prefixItems"],
  maps: ["properties", "patternProperties", "dependentSchemas"],
} as const;

/** A schema directly within another, and where: `["properties", "name"]`. */
export interface Child {
  readonly schema: Schema;
  readonly path: readonly (string | number)[];
}

/** The schemas directly within a schema, in the order of {@link SCHEMA_KEYWORDS}. References are not followed. */
export function listChildren(schema: Schema): readonly Child[] {
  const children: Child[] = [];
  for (const key of SCHEMA_KEYWORDS.maps)
    for (const [name, child] of Object.entries(schema[key] ?? {}))
      children.push({ schema: child, path: [key, name] });
  for (const key of SCHEMA_KEYWORDS.lists)
    schema[key]?.forEach((child, index) => children.push({ schema: child, path: [key, index] }));
  for (const key of SCHEMA_KEYWORDS.single) {
    const child = schema[key];
    if (child !== undefined) children.push({ schema: child, path: [key] });
  }
  return children;
}

/**
 * What members beside the declared ones may be: of one of the patterns' schemas, or what `additionalProperties` allows.
 * `unevaluatedProperties` is the same where no other part of the schema could have evaluated one.
 */
export function otherProperties(schema: Schema): Schema | undefined {
  const { pointer, patternProperties = {} } = schema;
  const isComposed = COMPOSING.some((key) => schema[key] !== undefined);
  const others = schema.additionalProperties ?? (isComposed ? undefined : schema.unevaluatedProperties);
  const patterns = Object.values(patternProperties);
  return patterns.length === 0 ? others : { pointer, anyOf: [...patterns, others ?? { pointer }] };
}

const COMPOSING = ["reference", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"] as const;
