import { getTarget, type JsonSchema } from "../schema/to-json-schema.js";

/** Builds the calls of `tenon/schemas` for a schema: as text for `schemas.ts`, or the validator itself. */
export interface CallBuilder<Expression> {
  /** Calls the keyword's function. */
  readonly call: (keyword: string, parts: readonly Expression[]) => Expression;
  readonly list: (items: readonly Expression[]) => Expression;
  readonly object: (entries: readonly (readonly [name: string, value: Expression])[]) => Expression;
  /** A JSON value. */
  readonly value: (value: unknown) => Expression;
  /** The call for the schema with a URI. */
  readonly reference: (uri: string) => Expression;
  /** True if objects get the defaults of their properties. */
  readonly putsDefaults: boolean;
}

/** Keywords in the order in which the runtime's validator checks them; those of one type follow each other. */
const KEYWORDS: readonly (readonly [type: string | undefined, keywords: readonly string[]])[] = [
  [
    "number",
    ["safeInteger", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "format", "multipleOf"],
  ],
  ["string", ["maxLength", "minLength", "pattern", "format"]],
  [undefined, ["reference", "enum", "not", "anyOf", "oneOf", "allOf", "if"]],
  ["array", ["maxItems", "minItems", "prefixItems", "items", "uniqueItems", "contains"]],
  [
    "object",
    [
      ...["defaults", "maxProperties", "minProperties", "required", "propertyNames"],
      ...["properties", "dependentRequired", "dependentSchemas"],
    ],
  ],
];

/** The formats that have functions; others are annotations. */
const FORMATS: Readonly<Record<"number" | "string", readonly string[]>> = {
  number: ["int32", "int64"],
  string: [
    ...["byte", "date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "json-pointer"],
    ...["regex", "relative-json-pointer", "time", "uri", "uri-reference", "uri-template", "uuid"],
  ],
};

type Keywords = Readonly<Record<string, unknown>>;

/**
 * Builds the calls of `tenon/schemas` for a JSON Schema of `toJsonSchema`.
 * `{ type: "string", minLength: 1 }` becomes the list of `type("string")` and `minLength(1)`.
 */
export function buildCalls<Expression>(schema: JsonSchema, builder: CallBuilder<Expression>): Expression {
  if (typeof schema === "boolean") return builder.value(schema);
  const calls: Expression[] = [];
  const types = schema["type"] === undefined ? [] : ([] as unknown[]).concat(schema["type"]);
  const checkType = () => builder.call("type", types.map(builder.value));
  const groups = KEYWORDS.map(([type, keywords]) => ({
    type,
    calls: keywords.flatMap((keyword) => buildCall(keyword, type, schema, builder) ?? []),
  }));
  // The type is checked with the keywords that depend on it.
  const isDeferred = groups.some(
    ({ type, calls: own }) => types.length === 1 && type === types[0] && own.length > 0,
  );
  if (types.length > 0 && !isDeferred) calls.push(checkType());
  for (const { type, calls: own } of groups) {
    if (isDeferred && type === types[0]) calls.push(checkType());
    calls.push(...own);
  }
  let list = builder.list(calls);
  for (const keyword of ["unevaluatedItems", "unevaluatedProperties"])
    if (schema[keyword] !== undefined) {
      const rest = buildCalls(schema[keyword] as JsonSchema, builder);
      list = builder.list([builder.call(keyword, [list, rest])]);
    }
  return list;
}

/** @returns undefined if the schema does not have the keyword, or it says nothing. */
function buildCall<Expression>(
  keyword: string,
  group: string | undefined,
  schema: Keywords,
  builder: CallBuilder<Expression>,
): Expression | undefined {
  const { call } = builder;
  const value = keyword === "defaults" && builder.putsDefaults ? findDefaults(schema) : schema[keyword];
  const rules = (one: unknown) => buildCalls(one as JsonSchema, builder);
  const isSafe =
    schema["maximum"] === Number.MAX_SAFE_INTEGER && schema["minimum"] === Number.MIN_SAFE_INTEGER;
  switch (keyword) {
    case "properties":
      return buildProperties(schema, builder);
    case "reference": {
      const uri = getTarget(schema);
      return uri === undefined ? undefined : builder.reference(uri);
    }
    case "format": {
      if (!FORMATS[group as "number" | "string"].includes(value as string)) return undefined;
      return call(
        (value as string).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
        [],
      );
    }
    case "safeInteger":
      return isSafe ? call(keyword, []) : undefined;
    case "maximum":
    case "minimum":
      return value === undefined || isSafe ? undefined : call(keyword, [builder.value(value)]);
    case "uniqueItems":
      return value === true ? call(keyword, []) : undefined;
  }
  if (value === undefined) return undefined;
  switch (keyword) {
    case "allOf":
    case "anyOf":
    case "oneOf":
    case "prefixItems":
      return call(keyword, (value as readonly unknown[]).map(rules));
    case "dependentSchemas":
      return call(keyword, [buildMembers(value, builder)]);
    case "not":
    case "propertyNames":
      return call(keyword, [rules(value)]);
    case "items": {
      const first = schema["prefixItems"] as readonly unknown[] | undefined;
      return call(keyword, [rules(value), ...(first ? [builder.value(first.length)] : [])]);
    }
    case "contains": {
      const { minContains: least, maxContains: most } = schema;
      const limits = most === undefined ? [least] : [least ?? 1, most];
      const given = limits.filter((limit) => limit !== undefined);
      return call(keyword, [rules(value), ...given.map(builder.value)]);
    }
    case "if": {
      const branches = [schema["then"], schema["else"]];
      if (branches.every((branch) => branch === undefined)) return undefined;
      const [consequence = true, otherwise] = branches;
      return call(keyword, [value, consequence, ...(otherwise === undefined ? [] : [otherwise])].map(rules));
    }
    case "enum":
    case "required":
      return call(keyword, (value as readonly unknown[]).map(builder.value));
    default:
      return call(keyword, [builder.value(value)]);
  }
}

function buildProperties<Expression>(
  { properties, patternProperties, additionalProperties }: Keywords,
  builder: CallBuilder<Expression>,
): Expression | undefined {
  const others: [string, Expression][] = [];
  if (patternProperties !== undefined) others.push(["patterns", buildMembers(patternProperties, builder)]);
  if (additionalProperties !== undefined)
    others.push(["additional", buildCalls(additionalProperties as JsonSchema, builder)]);
  if (properties === undefined && others.length === 0) return undefined;
  const parts = [buildMembers(properties ?? {}, builder)];
  return builder.call("properties", others.length > 0 ? [...parts, builder.object(others)] : parts);
}

function buildMembers<Expression>(members: unknown, builder: CallBuilder<Expression>): Expression {
  const entries = Object.entries(members as Readonly<Record<string, JsonSchema>>);
  return builder.object(entries.map(([name, one]) => [name, buildCalls(one, builder)]));
}

/** Finds the defaults that are put into an object of a schema. */
export function findDefaults({ properties }: Keywords): object | undefined {
  if (properties === undefined) return undefined;
  const found = Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(
    ([name, property]) =>
      typeof property !== "boolean" && Object.hasOwn(property, "default")
        ? [[name, property["default"]] as const]
        : [],
  );
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
