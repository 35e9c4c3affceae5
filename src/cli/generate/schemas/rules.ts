import { getTarget, type JsonSchema } from "tenon/core/schema";
import { emitKey, emitValue, LINE_WIDTH } from "../text.js";
import { findDefaults } from "./defaults.js";

/** An expression: a text, or a list of expressions between two texts, which has a line for each if it does not fit on one. */
type Expression = string | List;

interface List {
  /** The expression on one line. */
  readonly flat: string;
  readonly start: string;
  /** The beginning of each member: the key of an object. */
  readonly keys: readonly string[];
  readonly values: readonly Expression[];
  readonly end: string;
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

/** The functions of formats; other formats are annotations. */
const FORMATS: Readonly<Record<"number" | "string", readonly string[]>> = {
  number: ["int32", "int64"],
  string: [
    ...["byte", "date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "json-pointer"],
    ...["regex", "relative-json-pointer", "time", "uri", "uri-reference", "uri-template", "uuid"],
  ],
};

/** Emits the expression for a reference. */
export type EmitReference = (uri: string) => string;

/**
 * Emits the keywords of a JSON Schema of `toJsonSchema` as calls of `tenon/schemas`.
 * `{ type: "string", minLength: 1 }` becomes `[s.type("string"), s.minLength(1)]`.
 * @param before Number of characters in the line before the expression.
 */
export function emitRules(schema: JsonSchema, emitReference: EmitReference, before = 0): string {
  return print(toRules(schema, emitReference), "", before);
}

function toRules(schema: JsonSchema, emitReference: EmitReference): Expression {
  if (typeof schema === "boolean") return String(schema);
  const rules = (value: unknown) => toRules(value as JsonSchema, emitReference);
  const calls: Expression[] = [];
  const types = schema["type"] === undefined ? [] : ([] as unknown[]).concat(schema["type"]);
  const typeCall = call("type", types.map(toValue));
  const toCall = (keyword: string, group: string | undefined) =>
    toKeyword(keyword, group, schema, rules, emitReference);
  const groups = KEYWORDS.map(([type, keywords]) => ({
    type,
    calls: keywords.flatMap((keyword) => toCall(keyword, type) ?? []),
  }));
  // The type is checked with the keywords that depend on it.
  const isDeferred = groups.some(
    ({ type, calls: own }) => types.length === 1 && type === types[0] && own.length > 0,
  );
  if (types.length > 0 && !isDeferred) calls.push(typeCall);
  for (const { type, calls: own } of groups) {
    if (isDeferred && type === types[0]) calls.push(typeCall);
    calls.push(...own);
  }
  let list = toList(calls);
  for (const keyword of ["unevaluatedItems", "unevaluatedProperties"])
    if (schema[keyword] !== undefined) list = toList([call(keyword, [list, rules(schema[keyword])])]);
  return list;
}

/** @returns undefined if the schema does not have the keyword, or it says nothing. */
function toKeyword(
  keyword: string,
  group: string | undefined,
  schema: Readonly<Record<string, unknown>>,
  rules: (value: unknown) => Expression,
  emitReference: EmitReference,
): Expression | undefined {
  const value = keyword === "defaults" ? findDefaults(schema) : schema[keyword];
  const isSafe =
    schema["maximum"] === Number.MAX_SAFE_INTEGER && schema["minimum"] === Number.MIN_SAFE_INTEGER;
  const list = () => (value as readonly unknown[]).map(rules);
  const map = () =>
    toObject(Object.entries(value as object).map(([name, one]) => [emitKey(name), rules(one)]));
  switch (keyword) {
    case "properties":
      return toProperties(schema, rules);
    case "reference": {
      const uri = getTarget(schema);
      return uri === undefined ? undefined : emitReference(uri);
    }
    case "format":
      return FORMATS[group as "number" | "string"].includes(value as string)
        ? call(
            (value as string).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
            [],
          )
        : undefined;
    case "safeInteger":
      return isSafe ? call(keyword, []) : undefined;
    case "maximum":
    case "minimum":
      return value === undefined || isSafe ? undefined : call(keyword, [toValue(value)]);
    case "uniqueItems":
      return value === true ? call(keyword, []) : undefined;
  }
  if (value === undefined) return undefined;
  switch (keyword) {
    case "allOf":
    case "anyOf":
    case "oneOf":
    case "prefixItems":
      return call(keyword, list());
    case "dependentSchemas":
      return call(keyword, [map()]);
    case "not":
    case "propertyNames":
      return call(keyword, [rules(value)]);
    case "items": {
      const first = schema["prefixItems"] as readonly unknown[] | undefined;
      return call(keyword, [rules(value), ...(first ? [String(first.length)] : [])]);
    }
    case "contains": {
      const { minContains: least, maxContains: most } = schema;
      const limits = most === undefined ? [least] : [least ?? 1, most];
      return call(keyword, [
        rules(value),
        ...limits.flatMap((limit) => (limit === undefined ? [] : toValue(limit))),
      ]);
    }
    case "if": {
      const branches = [schema["then"], schema["else"]];
      if (branches.every((branch) => branch === undefined)) return undefined;
      const [consequence = true, otherwise] = branches;
      return call(keyword, [value, consequence, ...(otherwise === undefined ? [] : [otherwise])].map(rules));
    }
    case "enum":
    case "required":
      return call(keyword, (value as readonly unknown[]).map(toValue));
    default:
      return call(keyword, [toValue(value)]);
  }
}

function toProperties(
  schema: Readonly<Record<string, unknown>>,
  rules: (value: unknown) => Expression,
): Expression | undefined {
  const { properties = {}, patternProperties, additionalProperties } = schema;
  if ([schema["properties"], patternProperties, additionalProperties].every((one) => one === undefined))
    return undefined;
  const toMembers = (members: object) =>
    toObject(Object.entries(members).map(([name, one]) => [emitKey(name), rules(one)]));
  const others: [string, Expression][] = [
    ...(patternProperties === undefined
      ? []
      : [["patterns", toMembers(patternProperties as object)] as [string, Expression]]),
    ...(additionalProperties === undefined
      ? []
      : [["additional", rules(additionalProperties)] as [string, Expression]]),
  ];
  return call("properties", [
    toMembers(properties as object),
    ...(others.length > 0 ? [toObject(others)] : []),
  ]);
}

function call(name: string, parts: readonly Expression[]): Expression {
  return toExpression(`s.${name}(`, parts, ")");
}

function toList(items: readonly Expression[]): Expression {
  return toExpression("[", items, "]");
}

function toObject(entries: readonly (readonly [string, Expression])[]): Expression {
  if (entries.length === 0) return "{}";
  const keys = entries.map(([key]) => `${key}: `);
  return toExpression(
    "{ ",
    entries.map(([, value]) => value),
    " }",
    keys,
  );
}

function toExpression(
  start: string,
  values: readonly Expression[],
  end: string,
  keys: readonly string[] = [],
): Expression {
  const texts = values.map((value, index) => (keys[index] ?? "") + toFlat(value));
  return { flat: start + texts.join(", ") + end, start, keys, values, end };
}

const toFlat = (expression: Expression): string =>
  typeof expression === "string" ? expression : expression.flat;

const toValue = (value: unknown): Expression => emitValue(value, "", -Infinity);

function print(expression: Expression, indent: string, before: number): string {
  if (typeof expression === "string" || before + expression.flat.length < LINE_WIDTH)
    return toFlat(expression);
  const { start, keys, values, end } = expression;
  // A call with one list or object keeps its brackets on the line of the call.
  const [only = ""] = values;
  if (values.length === 1 && keys.length === 0 && start.endsWith("(") && typeof only !== "string")
    return start + print(only, indent, before + start.length) + end;
  const inner = `${indent}  `;
  const lines = values.map((value, index) => {
    const key = keys[index] ?? "";
    return `${inner}${key}${print(value, inner, inner.length + key.length + 1)},\n`;
  });
  return `${start.trimEnd()}\n${lines.join("")}${indent}${end.trimStart()}`;
}
