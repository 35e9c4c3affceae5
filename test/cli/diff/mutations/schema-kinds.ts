import { getOwn, isNode, type Node, toNode } from "../../../../src/tenon/core/document/index.js";
import type { Level } from "../../../../src/cli/diff/change.js";
import { hasOnly, listTypes, type Use, type Uses } from "./uses.js";

/** The level that is right. `none`: no change but texts. */
export type Truth = Level | "none";

/** What a mutation means where clients send the value, and where they receive it. */
export type Truths = Readonly<Record<Use["direction"], Truth>>;

export interface SchemaKind {
  readonly truths: Truths;
  /** Its meaning for values that are sent as text. Undefined: it is not made there. */
  readonly asText?: Truths;
  /** Whether the level is a convention, so that other levels follow where the schema is one of several. */
  readonly isConvention?: boolean;
  /** Returns the mutated schema; undefined where the mutation cannot be made, or its truth is not certain. */
  readonly mutate: (schema: Node, context: Context) => Node | undefined;
}

export interface Context extends Pick<Uses, "dialect"> {
  /** Follows a reference, for a look at the target. */
  readonly resolve: (schema: unknown) => Node;
}

type Mutate = SchemaKind["mutate"];
/** Only mutates schemas with these types and keywords. */
type Guard = (schema: Node, context: Context) => boolean;

const NARROWS: Truths = { request: "breaking", response: "safe" };
const WIDENS: Truths = { request: "safe", response: "breaking" };
const BREAKS: Truths = { request: "breaking", response: "breaking" };
const RISKS: Truths = { request: "risky", response: "risky" };
const SAFE: Truths = { request: "safe", response: "safe" };
const NONE: Truths = { request: "none", response: "none" };

const narrows = (mutate: Mutate): SchemaKind => ({ truths: NARROWS, asText: NARROWS, mutate });
const widens = (mutate: Mutate): SchemaKind => ({ truths: WIDENS, asText: WIDENS, mutate });
const keeps = (mutate: Mutate): SchemaKind => ({ truths: NONE, asText: NONE, mutate });
/** A kind that is only made in JSON. */
const inJson = (truths: Truths, mutate: Mutate): SchemaKind => ({ truths, mutate });
const byConvention = (truths: Truths, mutate: Mutate): SchemaKind => ({ truths, mutate, isConvention: true });

const when = (guard: Guard, change: (schema: Node, context: Context) => Node | undefined): Mutate => {
  return (schema, context) => {
    if (!guard(schema, context)) return undefined;
    const changes = change(schema, context);
    return changes && toDefined({ ...schema, ...changes });
  };
};

function toDefined(schema: Node): Node {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** Tests whether a schema has one type, and no other keywords but these. */
const only =
  (types: string, ...keywords: readonly string[]): Guard =>
  (schema) => {
    const [type, ...others] = listTypes(schema);
    return (
      others.length === 0 && types.split(" ").includes(String(type)) && hasOnly(schema, ["type", ...keywords])
    );
  };
const both =
  (...guards: readonly Guard[]): Guard =>
  (schema, context) =>
    guards.every((guard) => guard(schema, context));

const isFreeText = only("string");
const isText = only("string", "minLength", "maxLength");
const isInteger = only("integer", "format", "minimum", "maximum");
const isNumber = only("integer number", "format", "minimum", "maximum");
const isList = only("array", "items", "minItems", "maxItems", "uniqueItems");
const isObject = only("object", "properties", "required", "additionalProperties");
const isOpen: Guard = both(isObject, ({ additionalProperties: rest }) => rest === undefined || rest === true);
const isClosed: Guard = both(isObject, ({ additionalProperties: rest }) => rest === false);
const isRecent: Guard = (_, { dialect }) => dialect !== "3.0";
const lacks =
  (...keywords: readonly string[]): Guard =>
  (schema) =>
    keywords.every((keyword) => !(keyword in schema));

function read(schema: Node, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

/** Formats whose values are a part of all strings. */
const FORMATS = ["date", "date-time", "uuid", "ipv4", "ipv6"];
const INT32 = 2 ** 31 - 1;

/** Strings for patterns, of which some match and others do not. */
const SAMPLES = [
  "",
  "a",
  "abc",
  "A1",
  "0",
  "12",
  "2020-01-01",
  "\u00fc~ \n\u2713 !",
  "x".repeat(40),
  "tenon-1",
];
const PATTERN = "^tenon-[0-9]$";

/** Finds a sample that a pattern of the schema matches, or does not. */
function findSample(
  { pattern, minLength = 0, maxLength = Infinity }: Node,
  isMatch: boolean,
): string | undefined {
  try {
    const expression = new RegExp(String(pattern), "u");
    return SAMPLES.find((text) => {
      const { length } = text;
      const fits = length >= (minLength as number) && length <= (maxLength as number);
      return fits && expression.test(text) === isMatch;
    });
  } catch {
    return undefined;
  }
}

/** The distinct values of a list, each of the schema's type. */
function listValues({ enum: values, ...schema }: Node): readonly (string | number)[] | undefined {
  if (!Array.isArray(values) || !hasOnly(schema, ["type"])) return undefined;
  const [type, ...others] = listTypes(schema);
  const isRight = (value: unknown) =>
    type === "string" ? typeof value === "string" : type === "integer" && Number.isInteger(value);
  if (others.length > 0 || !values.every(isRight)) return undefined;
  return new Set(values.map(String)).size === values.length ? (values as string[]) : undefined;
}

const NEW_VALUE = "tenonAdded";

interface Property {
  readonly name: string;
  readonly schema: Node;
  readonly required: boolean;
}

/** The properties of an object that are sent and received, and described by one schema each. */
function listProperties(schema: Node, { resolve }: Context): readonly Property[] {
  const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as string[]) : []);
  return Object.entries(toNode(schema["properties"])).flatMap(([name, own]) => {
    if (!isNode(own)) return [];
    const all = [own, resolve(own)];
    const isHidden = all.some((one) => one["readOnly"] === true || one["writeOnly"] === true);
    const isPlain = all.every((one) => !["allOf", "oneOf", "anyOf", "not"].some((keyword) => keyword in one));
    return isHidden || !isPlain ? [] : [{ name, schema: own, required: required.has(name) }];
  });
}

/** Mutates the first property that is required, or is not, and satisfies a condition. */
const onProperty = (
  required: boolean | undefined,
  change: (property: Property, schema: Node, context: Context) => Node | undefined,
  guard: Guard = isOpen,
): Mutate =>
  when(guard, (schema, context) => {
    for (const property of listProperties(schema, context)) {
      const changes =
        required === undefined || property.required === required
          ? change(property, schema, context)
          : undefined;
      if (changes !== undefined) return changes;
    }
    return undefined;
  });

const withProperty = (schema: Node, name: string, property: Node): Node => ({
  properties: { ...toNode(schema["properties"]), [name]: property },
});

const withRequired = (schema: Node, change: (names: readonly string[]) => readonly string[]): Node => {
  const names = change(Array.isArray(schema["required"]) ? (schema["required"] as string[]) : []);
  return { required: names.length === 0 ? undefined : names };
};

const without = (schema: Node, name: string): Node => ({
  properties: Object.fromEntries(
    Object.entries(toNode(schema["properties"])).filter(([key]) => key !== name),
  ),
  ...withRequired(schema, (names) => names.filter((key) => key !== name)),
});

const addedProperty = (isRequired: boolean) => (schema: Node) => ({
  ...withProperty(schema, NEW_VALUE, { type: "string" }),
  ...(isRequired && withRequired(schema, (names) => [...names, NEW_VALUE])),
});

/** Another value that an inline schema allows. */
function findOther(schema: Node): unknown {
  const { default: value } = schema;
  const values = listValues(schema);
  if (values !== undefined) return values.find((one) => one !== value);
  if (isFreeText(schema, TODAY)) return value === "tenon" ? "mortise" : "tenon";
  if (only("boolean")(schema, TODAY)) return value !== true;
  if (only("integer")(schema, TODAY)) return typeof value === "number" ? value + 1 : 7;
  return undefined;
}
const TODAY: Context = { dialect: "3.1", resolve: toNode };

/** Changes the default of a property; only properties that can be missing have one that applies. */
const onDefault = (required: boolean, isThere: boolean, change: (schema: Node) => Node | undefined): Mutate =>
  onProperty(
    required,
    ({ name, schema: property }, schema) => {
      const changed = "$ref" in property || "default" in property !== isThere ? undefined : change(property);
      return changed && withProperty(schema, name, toDefined({ ...property, ...changed }));
    },
    isObject,
  );
const otherDefault = (schema: Node): Node | undefined => {
  const other = findOther(schema);
  return other === undefined ? undefined : { default: other };
};

const exclusive = (schema: Node, { dialect }: Context): Node =>
  dialect === "3.0"
    ? { exclusiveMinimum: true }
    : { minimum: undefined, exclusiveMinimum: schema["minimum"] };

const setLimit = (keyword: string, value: number | undefined): Node | undefined =>
  value === undefined ? undefined : { [keyword]: value };

const reversed = (values: unknown): unknown => (Array.isArray(values) ? values.toReversed() : values);

export const SCHEMA_KINDS: Readonly<Record<string, SchemaKind>> = {
  // Strings
  "maxLength added": narrows(when(isFreeText, () => ({ maxLength: 50 }))),
  "maxLength lowered": narrows(
    when(isText, (schema) => {
      const { minLength = 0, maxLength = 0 } = schema as Record<string, number>;
      return maxLength > Math.max(minLength, 1) ? { maxLength: maxLength - 1 } : undefined;
    }),
  ),
  "maxLength raised": widens(
    when(isText, (schema) => setLimit("maxLength", add(read(schema, "maxLength"), 1))),
  ),
  "maxLength removed": widens(
    when(isText, (schema) =>
      read(schema, "maxLength") === undefined ? undefined : { maxLength: undefined },
    ),
  ),
  "minLength added": narrows(when(isFreeText, () => ({ minLength: 2 }))),
  "minLength raised": narrows(
    when(isText, (schema) => {
      const [low = 0, high = Infinity] = [read(schema, "minLength"), read(schema, "maxLength")];
      return low > 0 && low < high ? { minLength: low + 1 } : undefined;
    }),
  ),
  "minLength lowered": widens(
    when(isText, (schema) => {
      const low = read(schema, "minLength") ?? 0;
      return low > 1 ? { minLength: low - 1 } : undefined;
    }),
  ),
  "pattern added": narrows(when(isFreeText, () => ({ pattern: PATTERN }))),
  "pattern removed": widens(
    when(only("string", "pattern", "minLength", "maxLength"), (schema) =>
      "pattern" in schema && findSample(schema, false) !== undefined ? { pattern: undefined } : undefined,
    ),
  ),
  "pattern replaced": {
    truths: BREAKS,
    asText: BREAKS,
    mutate: when(only("string", "pattern"), (schema) => {
      const isNew = findSample({ ...schema, minLength: 7 }, false) !== undefined;
      return "pattern" in schema && isNew && findSample(schema, true) !== undefined
        ? { pattern: PATTERN }
        : undefined;
    }),
  },
  "format added": narrows(when(isFreeText, () => ({ format: "uuid" }))),
  "format removed": widens(
    when(only("string", "format"), ({ format }) =>
      FORMATS.includes(String(format)) ? { format: undefined } : undefined,
    ),
  ),
  "format replaced": {
    truths: BREAKS,
    asText: BREAKS,
    mutate: when(only("string", "format"), ({ format }) =>
      FORMATS.includes(String(format)) ? { format: format === "uuid" ? "date" : "uuid" } : undefined,
    ),
  },
  "enum added": narrows(when(isFreeText, () => ({ enum: ["one", "two"] }))),
  "const added": narrows(when(both(isFreeText, isRecent), () => ({ const: "one" }))),
  "a value excluded by not": narrows(when(isFreeText, () => ({ not: { enum: ["tenon"] } }))),

  // Listed values
  "enum value removed": narrows((schema) => {
    const values = listValues(schema) ?? [];
    return values.length > 1 ? { ...schema, enum: values.slice(0, -1) } : undefined;
  }),
  "enum value added": byConvention({ request: "safe", response: "risky" }, (schema) => {
    const values = listValues(schema);
    return values && typeof values[0] === "string" ? { ...schema, enum: [...values, NEW_VALUE] } : undefined;
  }),
  "enum replaced": byConvention(BREAKS, (schema) => {
    const values = listValues(schema);
    return values && typeof values[0] === "string" && isSingle(schema)
      ? { ...schema, enum: [NEW_VALUE] }
      : undefined;
  }),
  "enum removed": widens((schema) => {
    const { enum: values, ...others } = schema;
    return values !== undefined && listValues(schema) ? others : undefined;
  }),
  "enum in another order": keeps((schema) =>
    (listValues(schema)?.length ?? 0) > 1 ? { ...schema, enum: reversed(schema["enum"]) } : undefined,
  ),
  "enum of one as const": keeps((schema, { dialect }) => {
    const { enum: values, ...others } = schema;
    const [value, ...more] = listValues(schema) ?? [];
    const isOne = values !== undefined && value !== undefined && more.length === 0;
    return isOne && dialect !== "3.0" ? { ...others, const: value } : undefined;
  }),

  // Numbers
  "maximum added": narrows(when(only("integer number"), () => ({ maximum: 1000 }))),
  "maximum lowered": narrows(
    when(isInteger, (schema) => {
      const [low = -Infinity, high] = [read(schema, "minimum"), read(schema, "maximum")];
      return high !== undefined && Number.isInteger(high) && high < INT32 && high - 1 >= low
        ? { maximum: high - 1 }
        : undefined;
    }),
  ),
  "maximum raised": widens(
    when(isNumber, (schema) => {
      const high = read(schema, "maximum");
      return high !== undefined && Math.abs(high) < INT32 - 1 ? { maximum: high + 1 } : undefined;
    }),
  ),
  "maximum removed": widens(
    when(isNumber, (schema) => {
      const high = read(schema, "maximum");
      return high !== undefined && Math.abs(high) < INT32 - 1 ? { maximum: undefined } : undefined;
    }),
  ),
  "minimum added": narrows(when(only("integer number"), () => ({ minimum: 10 }))),
  "minimum raised": narrows(
    when(isInteger, (schema) => {
      const [low, high = Infinity] = [read(schema, "minimum"), read(schema, "maximum")];
      return low !== undefined && Number.isInteger(low) && Math.abs(low) < INT32 && low + 1 <= high
        ? { minimum: low + 1 }
        : undefined;
    }),
  ),
  "minimum lowered": widens(
    when(isNumber, (schema) => {
      const low = read(schema, "minimum");
      return low !== undefined && Math.abs(low) < INT32 ? { minimum: low - 1 } : undefined;
    }),
  ),
  "minimum removed": widens(
    when(isNumber, (schema) => {
      const low = read(schema, "minimum");
      return low !== undefined && Math.abs(low) < INT32 ? { minimum: undefined } : undefined;
    }),
  ),
  "minimum became exclusive": narrows(
    when(isInteger, (schema, context) => {
      const [low, high = Infinity] = [read(schema, "minimum"), read(schema, "maximum")];
      return low !== undefined && Number.isInteger(low) && Math.abs(low) < INT32 && low < high
        ? exclusive(schema, context)
        : undefined;
    }),
  ),
  "multipleOf added": narrows(when(only("integer"), () => ({ multipleOf: 7 }))),
  "multipleOf removed": widens(
    when(only("integer", "multipleOf"), (schema) =>
      (read(schema, "multipleOf") ?? 1) > 1 ? { multipleOf: undefined } : undefined,
    ),
  ),
  "number became integer": narrows(when(only("number"), () => ({ type: "integer" }))),
  "integer became number": widens(when(both(only("integer"), lacks("nullable")), () => ({ type: "number" }))),
  "int64 became int32": narrows(
    when(only("integer", "format"), ({ format }) => (format === "int64" ? { format: "int32" } : undefined)),
  ),
  "int32 became int64": widens(
    when(only("integer", "format"), ({ format }) => (format === "int32" ? { format: "int64" } : undefined)),
  ),
  "integer bounds written with a fraction": keeps(
    when(isInteger, (schema) => {
      const high = read(schema, "maximum");
      return high !== undefined && Number.isInteger(high) && high < INT32
        ? { maximum: high + 0.5 }
        : undefined;
    }),
  ),
  "integer minimum written as exclusive": keeps(
    when(isInteger, (schema, { dialect }) => {
      const low = read(schema, "minimum");
      if (low === undefined || !Number.isInteger(low) || Math.abs(low) > INT32) return undefined;
      return dialect === "3.0"
        ? { minimum: low - 1, exclusiveMinimum: true }
        : { minimum: undefined, exclusiveMinimum: low - 1 };
    }),
  ),

  // Types
  "string became integer": {
    truths: BREAKS,
    asText: NARROWS,
    mutate: when(both(isFreeText, isSingle), () => ({ type: "integer" })),
  },
  "integer became string": {
    truths: BREAKS,
    asText: WIDENS,
    mutate: when(both(only("integer"), isSingle), () => ({ type: "string" })),
  },
  "string became boolean": {
    truths: BREAKS,
    asText: NARROWS,
    mutate: when(both(isFreeText, isSingle), () => ({ type: "boolean" })),
  },
  "string became array": inJson(
    BREAKS,
    when(both(isFreeText, isSingle), () => ({ type: "array", items: { type: "string" } })),
  ),
  "a type of other values added by anyOf": inJson(WIDENS, (schema, context) =>
    isText(schema, context) && isBare(schema) ? { anyOf: [schema, { type: "boolean" }] } : undefined,
  ),
  "null added": inJson(
    WIDENS,
    when(
      both(only("string integer number boolean array", "items", "format"), isSingle),
      ({ type }, { dialect }) => (dialect === "3.0" ? { nullable: true } : { type: [type, "null"] }),
    ),
  ),
  "null removed": inJson(
    NARROWS,
    when(only("string integer number boolean array", "items", "format"), (schema, { dialect }) => {
      const { type, nullable } = schema;
      if (dialect === "3.0") return nullable === true ? { nullable: undefined } : undefined;
      return Array.isArray(type) && type.includes("null") ? { type: listTypes(schema)[0] } : undefined;
    }),
  ),

  // Arrays
  "maxItems added": narrows(
    when(both(isList, lacks("maxItems", "minItems", "uniqueItems")), () => ({ maxItems: 3 })),
  ),
  "maxItems lowered": narrows(
    when(both(isList, lacks("uniqueItems")), (schema) => {
      const [low = 0, high = 0] = [read(schema, "minItems"), read(schema, "maxItems")];
      return high > Math.max(low, 1) ? { maxItems: high - 1 } : undefined;
    }),
  ),
  "maxItems removed": widens(
    when(both(isList, lacks("uniqueItems")), (schema) =>
      "maxItems" in schema ? { maxItems: undefined } : undefined,
    ),
  ),
  "minItems raised": narrows(
    when(both(isList, lacks("uniqueItems")), (schema) => {
      const [low = 1, high = Infinity] = [read(schema, "minItems"), read(schema, "maxItems")];
      return low > 0 && low < high ? { minItems: low + 1 } : undefined;
    }),
  ),
  "minItems removed": widens(
    when(isList, (schema) => ((read(schema, "minItems") ?? 0) > 1 ? { minItems: undefined } : undefined)),
  ),
  "uniqueItems added": narrows(
    when(both(isList, lacks("maxItems", "uniqueItems")), () => ({ uniqueItems: true })),
  ),
  "uniqueItems removed": widens(
    when(both(isList, lacks("maxItems")), ({ uniqueItems }) =>
      uniqueItems === true ? { uniqueItems: undefined } : undefined,
    ),
  ),
  "contains added": inJson(
    NARROWS,
    when(both(isList, isRecent, lacks("maxItems", "uniqueItems")), ({ items }, context) =>
      isFreeText(toNode(items), context) ? { contains: { const: "tenon" } } : undefined,
    ),
  ),

  // Objects
  "a required property added": inJson(NARROWS, when(isOpen, addedProperty(true))),
  "an optional property added": byConvention(SAFE, when(isOpen, addedProperty(false))),
  "a required property added to a closed object": byConvention(
    { request: "breaking", response: "risky" },
    when(isClosed, addedProperty(true)),
  ),
  "an optional property added to a closed object": byConvention(
    { request: "safe", response: "risky" },
    when(isClosed, addedProperty(false)),
  ),
  "an optional property removed": byConvention(
    RISKS,
    onProperty(false, ({ name }, schema) => without(schema, name)),
  ),
  "a required property removed": byConvention(
    { request: "risky", response: "breaking" },
    onProperty(true, ({ name }, schema) => without(schema, name)),
  ),
  "a property of a closed object removed": byConvention(
    { request: "breaking", response: "risky" },
    onProperty(false, ({ name }, schema) => without(schema, name), isClosed),
  ),
  "a required property renamed": byConvention(
    BREAKS,
    onProperty(true, ({ name, schema: property }, schema) => {
      const rest = { ...schema, ...without(schema, name) };
      return {
        ...withProperty(rest, NEW_VALUE, property),
        ...withRequired(rest, (names) => [...names, NEW_VALUE]),
      };
    }),
  ),
  "a property became required": inJson(
    NARROWS,
    onProperty(false, ({ name, schema: property }, schema, { resolve }) =>
      "default" in property || "default" in resolve(property)
        ? undefined
        : withRequired(schema, (names) => [...names, name]),
    ),
  ),
  "a property became optional": inJson(
    WIDENS,
    onProperty(true, ({ name }, schema) =>
      withRequired(schema, (names) => names.filter((key) => key !== name)),
    ),
  ),
  "a property became read-only": byConvention(
    { request: "risky", response: "none" },
    onProperty(false, ({ name, schema: property }, schema) =>
      "$ref" in property ? undefined : withProperty(schema, name, { ...property, readOnly: true }),
    ),
  ),
  "a required property became read-only": byConvention(
    { request: "breaking", response: "none" },
    onProperty(true, ({ name, schema: property }, schema) =>
      "$ref" in property ? undefined : withProperty(schema, name, { ...property, readOnly: true }),
    ),
  ),
  "a property became write-only": byConvention(
    { request: "none", response: "risky" },
    onProperty(false, ({ name, schema: property }, schema) =>
      "$ref" in property ? undefined : withProperty(schema, name, { ...property, writeOnly: true }),
    ),
  ),
  "other properties forbidden": inJson(
    NARROWS,
    when(isOpen, () => ({ additionalProperties: false })),
  ),
  "other properties allowed": byConvention(
    { request: "safe", response: "risky" },
    when(isClosed, () => ({ additionalProperties: undefined })),
  ),
  "maxProperties added": inJson(
    NARROWS,
    when(isOpen, ({ properties }) => ({ maxProperties: Object.keys(toNode(properties)).length + 5 })),
  ),
  "minProperties added": inJson(
    NARROWS,
    when(both(isOpen, lacks("required")), () => ({ minProperties: 1 })),
  ),
  "dependentRequired added": inJson(NARROWS, (schema, context) =>
    withPair(schema, context, (one, other) => ({
      dependentRequired: { [one]: [other] },
    })),
  ),
  "a condition added": inJson(NARROWS, (schema, context) =>
    withPair(schema, context, (one, other) => ({
      if: { required: [one] },
      then: { required: [other] },
    })),
  ),
  "propertyNames added": inJson(
    NARROWS,
    when(both(isOpen, isRecent), () => ({ propertyNames: { maxLength: 60 } })),
  ),

  // Annotations
  "a default added": byConvention(SAFE, onDefault(false, false, otherDefault)),
  "a default changed": byConvention(
    { request: "risky", response: "safe" },
    onDefault(false, true, otherDefault),
  ),
  "a default removed": byConvention(
    { request: "risky", response: "safe" },
    onDefault(false, true, () => ({ default: undefined })),
  ),
  "a default of a required property changed": byConvention(SAFE, onDefault(true, true, otherDefault)),
  "a property deprecated": byConvention(
    SAFE,
    onProperty(undefined, ({ name, schema: property }, schema) =>
      "$ref" in property || "deprecated" in property
        ? undefined
        : withProperty(schema, name, { ...property, deprecated: true }),
    ),
  ),
  "a description changed": keeps(
    when(
      (schema) => !("$ref" in schema),
      () => ({ description: "Changed." }),
    ),
  ),
  "an example changed": keeps(
    when(
      (schema) => !("$ref" in schema),
      () => ({ example: "changed" }),
    ),
  ),
  "an extension added": keeps(
    when(
      (schema) => !("$ref" in schema),
      () => ({ "x-tenon-test": true }),
    ),
  ),

  // Other ways to write the same
  "properties in another order": keeps(
    when(isObject, (schema) => {
      const { properties, required } = schema;
      if (!isNode(properties) || Object.keys(properties).length < 2) return undefined;
      const members = Object.fromEntries(Object.entries(properties).toReversed());
      return { properties: members, ...(required !== undefined && { required: reversed(required) }) };
    }),
  ),
  "a reference written in place": keeps((schema, { resolve }) => {
    const target = resolve(schema);
    const isPlain = !/"(?:discriminator|allOf|\$defs)"/.test(JSON.stringify(target));
    return Object.keys(schema).join() === "$ref" && isPlain ? target : undefined;
  }),
  "allOf of one": keeps((schema) => (isBare(schema) ? { allOf: [schema] } : undefined)),
  "anyOf of one": keeps((schema) => (isBare(schema) ? { anyOf: [schema] } : undefined)),
  "oneOf of one": keeps((schema) => (isBare(schema) ? { oneOf: [schema] } : undefined)),
  "a type as a list": keeps(
    when(isRecent, ({ type }) => (typeof type === "string" ? { type: [type] } : undefined)),
  ),
  "nullable: false": keeps(
    when(lacks("nullable"), ({ type }, { dialect }) =>
      dialect === "3.0" && type !== undefined ? { nullable: false } : undefined,
    ),
  ),
  "minLength: 0": keeps(when(isFreeText, () => ({ minLength: 0 }))),
  "a pattern that matches everything": keeps(when(isFreeText, () => ({ pattern: ".*" }))),
  "minItems: 0, uniqueItems: false": keeps(
    when(both(isList, lacks("minItems", "uniqueItems")), () => ({ minItems: 0, uniqueItems: false })),
  ),
  "minProperties: 0": keeps(when(isObject, () => ({ minProperties: 0 }))),
  "additionalProperties: true": keeps(
    when(both(isObject, lacks("additionalProperties")), () => ({ additionalProperties: true })),
  ),
  "required of a property, by allOf": inJson(
    NONE,
    when(
      both(isObject, ({ required }) => Array.isArray(required) && required.length > 0),
      ({ required }) => ({
        required: undefined,
        allOf: [{ required }],
      }),
    ),
  ),
};

/** Tests whether null is no value of the schema. */
function isSingle({ type, nullable }: Node): boolean {
  return typeof type === "string" && nullable !== true;
}

/** Tests whether a schema has no annotations that depend on where it is written. */
function isBare(schema: Node): boolean {
  const kept = ["readOnly", "writeOnly", "default", "deprecated", "discriminator", "xml", "$ref"];
  return kept.every((keyword) => getOwn(schema, keyword) === undefined) && schema["format"] !== "binary";
}

function add(value: number | undefined, more: number): number | undefined {
  return value === undefined ? undefined : value + more;
}

/** Adds keywords about two optional properties of an open object. */
function withPair(
  schema: Node,
  context: Context,
  change: (one: string, other: string) => Node,
): Node | undefined {
  if (!isOpen(schema, context) || !isRecent(schema, context)) return undefined;
  const [one, other] = listProperties(schema, context).filter(({ required }) => !required);
  return one && other ? { ...schema, ...change(one.name, other.name) } : undefined;
}
