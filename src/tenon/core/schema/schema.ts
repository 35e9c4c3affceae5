import type { Lasting } from "../document/lifecycle.js";
import type { JsonType } from "./json-value.js";

/**
 * A schema in the dialect of the model, JSON Schema 2020-12:
 * - `type` is a list; a type that other keywords imply is added;
 * - OpenAPI 3.0's `nullable` is a type or an alternative, its boolean bounds are numbers, the ignored siblings of `$ref` are removed;
 * - `const` is an `enum` with one value, `example` one of the `examples`;
 * - a hierarchy of `allOf` and `discriminator` is a union;
 * - `true` is a schema without keywords, `false` one with `never`.
 *
 * Values of keywords are not validated and may have any type.
 */
export interface Schema extends Assertions, Applicators, Annotations {
  /** JSON pointer of the author's schema in the document. */
  readonly pointer: string;
  /** Key of another schema in the {@link SchemaRegistry}. Keywords beside it apply too. */
  readonly reference?: string;
  /** Raw `$dynamicRef` whose target is uncertain; see `resolveDynamicReferences` for others. */
  readonly dynamicReference?: string;
  /** Set if no value is valid. */
  readonly never?: true;
  /** Set if the value is bytes in memory: the content of a part, which JSON Schema cannot describe. */
  readonly bytes?: true;
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
  /** Created with `Object.fromEntries`, so that a property may be named `__proto__`. */
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly unevaluatedProperties?: Schema;
  readonly dependentSchemas?: Readonly<Record<string, Schema>>;
}

/** Keywords that do not restrict which values are valid. */
export interface Annotations extends Lasting {
  readonly title?: string;
  readonly description?: string;
  /** `x-enumDescriptions`: descriptions of the values of `enum`, by value as text. */
  readonly enumDescriptions?: Readonly<Record<string, string>>;
  /** `x-extensible-enum`: known values, to which others may be added. */
  readonly extensibleEnum?: readonly unknown[];
  /** Present if the schema has a default, which may be any value. */
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly readOnly?: true;
  readonly writeOnly?: true;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  /** Schema of the decoded text. Validators ignore it, so {@link listChildren} does not include it. */
  readonly contentSchema?: Schema;
  readonly discriminator?: DiscriminatorKeyword;
}

/** @see https://spec.openapis.org/oas/v3.1.0#discriminator-object */
export interface DiscriminatorKeyword {
  readonly propertyName: string;
  /** References of schemas by value. */
  readonly mapping: readonly (readonly [value: string, reference: string])[];
  /** Reference of the schema of values without the property, or with a value that selects no other. */
  readonly defaultMapping?: string;
}

/** A schema that allows anything. */
export function anything(pointer: string): Schema {
  return { pointer };
}

/** Tests whether a schema has only annotations, so that any value is valid. */
export function isAnything(schema: Schema): boolean {
  return Object.keys(schema).every((key) => ANNOTATIONS.has(key));
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...["pointer", "title", "description", "default", "examples", "readOnly", "writeOnly", "lifecycle"],
  ...["enumDescriptions", "lifecycleFields", "contentMediaType", "contentEncoding", "contentSchema"],
  ...["discriminator", "extensibleEnum"],
]);

/** Keywords of OpenAPI 3.0 and of older versions of JSON Schema that 2020-12 ignores, and what to write instead. */
export const REPLACED_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["nullable", 'type: [..., "null"]'],
  ["additionalItems", "items beside prefixItems"],
  ["dependencies", "dependentRequired or dependentSchemas"],
  ["$recursiveRef", "$dynamicRef"],
  ["$recursiveAnchor", "$dynamicAnchor"],
]);

/** Keywords by the type of their values. */
export const SCHEMA_KEYWORDS = {
  single: [
    ...(["not", "if", "then", "else", "items", "contains", "unevaluatedItems"] as const),
    ...(["additionalProperties", "propertyNames", "unevaluatedProperties"] as const),
  ],
  lists: ["allOf", "anyOf", "oneOf", "prefixItems"],
  maps: ["properties", "patternProperties", "dependentSchemas"],
} as const;

/** A schema directly within another, and its path: `["properties", "name"]`. */
export interface Child {
  readonly schema: Schema;
  readonly path: readonly (string | number)[];
}

/** Lists the schemas directly within a schema, in the order of {@link SCHEMA_KEYWORDS}. References are not followed. */
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
 * Lists the schemas of undeclared members: those of `patternProperties`, and `additionalProperties`. `unevaluatedProperties` has
 * the same meaning if no other part of the schema can evaluate a property.
 */
export function otherProperties(schema: Schema): Schema | undefined {
  const { pointer, patternProperties = {} } = schema;
  const isComposed = COMPOSING.some((key) => schema[key] !== undefined);
  const others = schema.additionalProperties ?? (isComposed ? undefined : schema.unevaluatedProperties);
  const patterns = Object.values(patternProperties);
  return patterns.length === 0 ? others : { pointer, anyOf: [...patterns, others ?? { pointer }] };
}

const COMPOSING = ["reference", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"] as const;
