import { FORMATS } from "./formats.js";

/** A request whose size is about a number of bytes. */
export interface WorstInput {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: string;
}

/** An operation and the input that costs it most for its size. */
export interface WorstCase {
  readonly name: string;
  /** The keywords of JSON Schema or the formats that it has. */
  readonly covers: readonly string[];
  /** Schema of the body. */
  readonly schema?: object;
  readonly contentType?: string;
  readonly parameters?: readonly object[];
  readonly components?: Readonly<Record<string, object>>;
  readonly input: (bytes: number) => WorstInput;
  /** How many schemas the contract declares for each value of the input. Default: 1. */
  readonly alternatives?: number;
}

const json = (value: unknown): WorstInput => ({
  contentType: "application/json",
  body: typeof value === "string" ? value : JSON.stringify(value),
});

/** `[item, item, …]` */
const items =
  (toItem: (index: number) => string) =>
  (bytes: number): WorstInput => {
    const parts: string[] = [];
    for (let length = 2, index = 0; ; index += 1) {
      const item = toItem(index);
      length += item.length + 1;
      if (length > bytes) return json(`[${parts.join()}]`);
      parts.push(item);
    }
  };

/** `{ "name": value, … }` */
const members =
  (toMember: (index: number) => string) =>
  (bytes: number): WorstInput => {
    const { body = "" } = items(toMember)(bytes);
    return json(`{${body.slice(1, -1)}}`);
  };

const text =
  (part: string, end = "") =>
  (bytes: number): WorstInput =>
    json(JSON.stringify(part.repeat(Math.max(1, Math.floor((bytes - 8) / part.length))) + end));

const nested =
  (open: string, inner: string, close: string, depth = 60) =>
  (bytes: number): WorstInput => {
    const levels = Math.min(depth, Math.floor((bytes - inner.length) / (open.length + close.length)));
    const rest = bytes - levels * (open.length + close.length);
    return json(
      open.repeat(levels) + (inner === "" ? (items(String)(rest).body ?? "") : inner) + close.repeat(levels),
    );
  };

const list = (schema: object): object => ({ type: "array", items: schema });
const NODE = "#/components/schemas/Node";
const node = (schema: object): Pick<WorstCase, "schema" | "components"> => ({
  schema: { $ref: NODE },
  components: { Node: schema },
});
/** @param leaf Type of the innermost operand. */
const expression = (leaf: string) =>
  node({
    oneOf: [
      { type: "object", properties: { op: { const: "not" }, left: { $ref: NODE } } },
      { type: "object", properties: { op: { const: "and" }, left: { $ref: NODE } } },
      { type: "array", items: { $ref: NODE } },
      { type: leaf },
    ],
  });

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `name ${index}`);

const KEYWORDS: readonly WorstCase[] = [
  {
    name: "type: items of another",
    covers: ["type", "items"],
    schema: list({ type: "string" }),
    input: items(() => "1"),
  },
  {
    name: "items behind a recursive reference",
    covers: ["$ref"],
    ...node({ type: ["array", "string"], items: { $ref: NODE } }),
    input: items(() => "1"),
  },
  {
    name: "… 60 levels deep",
    covers: [],
    ...node({ type: ["array", "string"], items: { $ref: NODE } }),
    input: nested("[", "", "]"),
  },
  {
    name: "… below a long name",
    covers: ["additionalProperties"],
    schema: { additionalProperties: list({ type: "string" }) },
    input: (bytes) => json(`{"${"n".repeat(bytes / 2)}":${items(() => "1")(bytes / 2).body}}`),
  },
  {
    name: "unions below a long name",
    covers: [],
    schema: { additionalProperties: list({ anyOf: [{ type: "string" }, { type: "null" }] }) },
    input: (bytes) => json(`{"${"n".repeat(bytes / 2)}":${items(() => "1")(bytes / 2).body}}`),
  },
  {
    name: "recursive items below a long name",
    alternatives: 4,
    covers: [],
    ...node({
      type: ["array", "object", "string"],
      additionalProperties: { $ref: NODE },
      items: { anyOf: [{ $ref: NODE }, { type: "string", const: "a" }, { allOf: [{ $ref: NODE }] }] },
    }),
    input: (bytes) =>
      json(`{"${"n".repeat(bytes / 2)}":${items(() => "{}")(bytes / 2).body?.replaceAll("{}", "[1]")}}`),
  },
  {
    name: "enum of objects",
    covers: ["enum"],
    schema: list({ enum: [{ a: 1 }, { a: 2 }, { a: [3] }] }),
    input: items((index) => `{"a":${index}}`),
  },
  {
    name: "enum: one of 2,000 texts, the last one",
    covers: [],
    schema: list({ enum: ["", ...names(2_000), "a"] }),
    input: items((index) => (index % 2 === 0 ? '"a"' : '"b"')),
  },
  {
    name: "const",
    covers: ["const"],
    schema: list({ const: { a: { b: 1 } } }),
    input: items((index) => `{"a":{"b":${index}}}`),
  },
  {
    name: "const: 60 levels around a large value",
    alternatives: 3,
    covers: [],
    ...node({
      anyOf: [{ const: { x: 1 } }, { type: "object", properties: { a: { $ref: NODE } } }, { type: "array" }],
    }),
    input: nested('{"a":', "", "}"),
  },
  {
    name: "enum of objects: items of another type",
    covers: [],
    schema: list({ enum: names(50).map((name) => ({ name })) }),
    input: items(() => "{}"),
  },
  { name: "const: one long text", covers: [], schema: { const: "a".repeat(1000) }, input: text("a") },
  {
    name: "multipleOf: many digits",
    covers: ["multipleOf"],
    schema: list({ type: "number", multipleOf: 0.0001 }),
    input: items((index) => `${index}.123456789012345678`),
  },
  {
    name: "multipleOf: one long number",
    covers: [],
    schema: { type: "number", multipleOf: 0.01 },
    input: (bytes) => json(`0.${"3".repeat(bytes - 4)}`),
  },
  {
    name: "maximum: one long integer",
    covers: ["maximum", "exclusiveMaximum"],
    schema: { type: "integer", maximum: 1, exclusiveMaximum: 2 },
    input: (bytes) => json("9".repeat(bytes)),
  },
  {
    name: "minimum: huge exponents",
    covers: ["minimum", "exclusiveMinimum"],
    schema: list({ type: "number", minimum: 1, exclusiveMinimum: 1 }),
    input: items(() => "-1e400"),
  },
  {
    name: "numbers with zeros and exponents",
    covers: [],
    schema: list({ type: "number" }),
    input: (bytes) => json(`[1.${"0".repeat(bytes - 20)}1e5]`),
  },
  {
    name: "maxLength: one long text",
    covers: ["maxLength", "minLength"],
    schema: { type: "string", maxLength: 10, minLength: 1e9 },
    input: text("😀"),
  },
  {
    name: "pattern",
    covers: ["pattern"],
    schema: { type: "string", pattern: "^[a-z]+(?:-[a-z]+)*$" },
    input: text("a", "!"),
  },
  {
    name: "format: unknown",
    covers: ["format"],
    schema: list({ type: "string", format: "of-our-own" }),
    input: items(() => '"a"'),
  },
  {
    name: "maxItems",
    covers: ["maxItems", "minItems"],
    schema: { type: "array", maxItems: 1, minItems: 1e9 },
    input: items(() => "1"),
  },
  {
    name: "uniqueItems: different objects",
    covers: ["uniqueItems"],
    schema: { type: "array", uniqueItems: true },
    input: items((index) => `{"a":${index}}`),
  },
  {
    name: "uniqueItems: arrays of the same object",
    covers: [],
    schema: { uniqueItems: true },
    input: items((index) => `[{},${index}]`),
  },
  {
    name: "uniqueItems: pairs that are equal",
    covers: [],
    schema: list({ uniqueItems: true }),
    input: items(() => "[1,1]"),
  },
  {
    name: "uniqueItems: texts",
    covers: [],
    schema: { type: "array", uniqueItems: true, items: { type: "string" } },
    input: items((index) => `"${index}"`),
  },
  {
    name: "uniqueItems: one large item, 60 levels",
    covers: [],
    ...node({ uniqueItems: true, items: { $ref: NODE } }),
    input: nested("[", "", "]"),
  },
  {
    name: "uniqueItems: … with another item on each level",
    covers: [],
    ...node({ uniqueItems: true, items: { $ref: NODE } }),
    input: nested("[", "", ",[[],0]]"),
  },
  {
    name: "uniqueItems: many small items, 20 levels deep",
    covers: [],
    ...node({ type: ["array", "integer"], uniqueItems: true, items: { $ref: NODE } }),
    input: (bytes) => nested("[", items((index) => `[${index}]`)(bytes - 40).body ?? "", "]", 20)(bytes),
  },
  {
    name: "uniqueItems: members in another order",
    covers: [],
    schema: { uniqueItems: true },
    input: (bytes) =>
      json(
        `[${members((index) => `"${index}":1`)(bytes / 2).body},${members((index) => `"${-index}":1`)(bytes / 2).body}]`,
      ),
  },
  {
    name: "prefixItems",
    covers: ["prefixItems", "unevaluatedItems"],
    schema: { prefixItems: [{ type: "string" }, {}], unevaluatedItems: false },
    input: items(() => "1"),
  },
  {
    name: "contains",
    covers: ["contains", "minContains", "maxContains"],
    schema: { contains: { type: "string", pattern: "^a" }, minContains: 1e6, maxContains: 1e7 },
    input: items((index) => (index % 2 === 0 ? '"a"' : "1")),
  },
  {
    name: "unevaluatedItems with contains",
    covers: [],
    schema: { contains: { type: "string" }, unevaluatedItems: false },
    input: items((index) => (index % 2 === 0 ? '"a"' : "1")),
  },
  {
    name: "maxProperties",
    covers: ["maxProperties", "minProperties"],
    schema: { maxProperties: 1, minProperties: 1e9 },
    input: members((index) => `"${index}":1`),
  },
  {
    name: "additionalProperties: false",
    covers: [],
    schema: { properties: { a: {} }, additionalProperties: false },
    input: members((index) => `"k${index}":1`),
  },
  {
    name: "properties: invalid ones in items",
    covers: ["properties", "required"],
    schema: list({ type: "object", required: ["b", "c"], properties: { a: { type: "string" } } }),
    input: items(() => '{"a":1}'),
  },
  {
    name: "required: a hundred properties, of empty objects",
    covers: [],
    schema: list({ required: names(100) }),
    input: items(() => "{}"),
  },
  {
    name: "required: … behind a reference",
    covers: [],
    schema: list({ $ref: NODE }),
    components: { Node: { required: names(100) } },
    input: items(() => "{}"),
  },
  {
    name: "patternProperties",
    covers: ["patternProperties"],
    schema: {
      patternProperties: { "^[a-z]": { type: "string" }, "\\d$": { type: "null" } },
      additionalProperties: false,
    },
    input: members((index) => `"k${index}":1`),
  },
  {
    name: "patternProperties: one long name",
    covers: [],
    schema: { patternProperties: { "^[a-z]+$": {} }, additionalProperties: false },
    input: (bytes) => json(`{"${"a".repeat(bytes - 10)}!":1}`),
  },
  {
    name: "propertyNames",
    covers: ["propertyNames"],
    schema: { propertyNames: { maxLength: 1, pattern: "^[a-z]+$" } },
    input: members((index) => `"${index}x":1`),
  },
  {
    name: "dependentRequired",
    covers: ["dependentRequired"],
    schema: list({ dependentRequired: { a: ["b", "c", "d"] } }),
    input: items(() => '{"a":1}'),
  },
  {
    name: "dependentRequired: a hundred properties",
    covers: [],
    schema: list({ dependentRequired: { a: names(100) } }),
    input: items(() => '{"a":1}'),
  },
  {
    name: "dependentSchemas",
    covers: ["dependentSchemas"],
    schema: list({ dependentSchemas: { a: { required: ["b"], properties: { a: { type: "string" } } } } }),
    input: items(() => '{"a":1}'),
  },
  {
    name: "unevaluatedProperties",
    covers: ["unevaluatedProperties"],
    schema: {
      allOf: [{ patternProperties: { "^a": {} } }, { properties: { b: {} } }],
      anyOf: [{ patternProperties: { "1$": {} } }, { patternProperties: { "2$": {} } }],
      unevaluatedProperties: false,
    },
    input: members((index) => `"${index % 2 === 0 ? "a" : "k"}${index}":1`),
  },
  {
    name: "unevaluatedProperties, recursive",
    covers: [],
    ...node({
      anyOf: [
        { patternProperties: { "^a": { $ref: NODE } } },
        { patternProperties: { "^b": { $ref: NODE } } },
      ],
      unevaluatedProperties: false,
    }),
    input: members((index) => `"b${index}":{"a":{},"c":1}`),
  },
  {
    name: "unevaluatedProperties, recursive in two alternatives",
    alternatives: 2,
    covers: [],
    ...node({
      type: "object",
      oneOf: [
        { required: ["a"], unevaluatedProperties: { $ref: NODE } },
        { required: ["b"], unevaluatedProperties: { $ref: NODE } },
      ],
    }),
    input: nested('{"a":', "{}", "}"),
  },
  {
    name: "unevaluatedItems: invalid items",
    covers: [],
    schema: { unevaluatedItems: { type: "object", allOf: [{ required: ["a"] }, { minProperties: 2 }] } },
    input: items(() => "{}"),
  },
  {
    name: "allOf",
    covers: ["allOf"],
    schema: { allOf: [{ items: { type: "string" } }, { items: { type: "null" } }] },
    input: items(() => "1"),
  },
  {
    name: "not, if, then, else",
    covers: ["not", "if", "then", "else"],
    schema: list({ if: { type: "integer" }, then: { not: { minimum: 0 } }, else: { not: { const: "a" } } }),
    input: items((index) => (index % 2 === 0 ? "1" : '"a"')),
  },
  {
    name: "oneOf: 5 alternatives",
    alternatives: 5,
    covers: ["oneOf"],
    schema: list({
      oneOf: Array.from({ length: 5 }, (_, index) => ({
        required: [`p${index}`],
        properties: { kind: { const: index } },
      })),
    }),
    input: items(() => '{"kind":-1}'),
  },
  {
    name: "anyOf: texts and numbers",
    covers: ["anyOf"],
    schema: list({
      anyOf: [
        { type: "string", maxLength: 1 },
        { type: "number", minimum: 5 },
      ],
    }),
    input: items((index) => (index % 2 === 0 ? "1" : '"aa"')),
  },
  {
    name: "oneOf: a union of unions",
    alternatives: 4,
    covers: [],
    schema: {
      oneOf: [
        list({ oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
        list({ oneOf: [{ required: ["c"] }, { type: "string" }] }),
      ],
    },
    input: items(() => "{}"),
  },
  {
    name: "oneOf: alternatives that refer to themselves",
    covers: [],
    ...expression("integer"),
    input: nested('{"op":"not","left":', "", "}"),
  },
  {
    name: "… invalid inside",
    alternatives: 4,
    covers: [],
    ...expression("string"),
    input: nested('{"op":"not","left":', "", "}"),
  },
  {
    name: "anyOf: alternatives that refer to themselves",
    alternatives: 6,
    covers: [],
    ...node({
      anyOf: [
        { type: "array", items: { allOf: [{ $ref: NODE }] } },
        { type: "array", items: { $ref: NODE } },
        { type: "string" },
      ],
    }),
    input: nested("[", "", "]"),
  },
  {
    name: "discriminator",
    covers: ["discriminator"],
    schema: list({
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
      discriminator: { propertyName: "kind" },
    }),
    components: {
      Cat: {
        type: "object",
        required: ["kind", "lives"],
        properties: { kind: { type: "string" }, lives: { type: "integer" } },
      },
      Dog: {
        type: "object",
        required: ["kind", "tail"],
        properties: { kind: { type: "string" }, friend: { $ref: "#/components/schemas/Dog" } },
      },
    },
    input: items((index) => (index % 2 === 0 ? '{"kind":"Dog"}' : '{"kind":"x"}')),
  },
  {
    name: "default",
    covers: ["default"],
    schema: list({ type: "object", properties: { a: { default: [] }, b: { default: "b" } } }),
    input: items(() => "{}"),
  },
  {
    name: "contentEncoding",
    covers: ["contentEncoding", "contentMediaType"],
    schema: { type: "string", contentEncoding: "base64", contentMediaType: "image/png" },
    input: text("A"),
  },
];

const SYNTAX: readonly WorstCase[] = [
  {
    name: "JSON: members with the same name at the end",
    covers: [],
    schema: {},
    input: (bytes) => json(members((index) => `"k${index}":1`)(bytes - 10).body?.replace(/\}$/, ',"k0":1}')),
  },
  { name: "JSON: escapes", covers: [], schema: {}, input: text('\\"') },
  {
    name: "JSON: backslashes without an end",
    covers: [],
    schema: {},
    input: (bytes) => json(`"${"\\".repeat(bytes)}`),
  },
  { name: "JSON: quotes only", covers: [], schema: {}, input: (bytes) => json('"'.repeat(bytes)) },
  { name: "JSON: brackets only", covers: [], schema: {}, input: (bytes) => json("[".repeat(bytes)) },
  {
    name: "JSON: lines of space, then an error",
    covers: [],
    schema: {},
    input: (bytes) => json(`${" \n".repeat(bytes / 2)}x`),
  },
  {
    name: "JSON: a long fraction with an exponent",
    covers: [],
    schema: {},
    input: (bytes) => json(`1.${"0".repeat(bytes - 10)}e-9`),
  },
  {
    name: "JSON: member names that are numbers",
    covers: [],
    schema: {},
    input: (bytes) => json(members((index) => `"\\u0031${index * 65_536}":1`)(bytes).body ?? ""),
  },
];

const OPEN = { type: "object", additionalProperties: { type: "string" } };
const DEEP = {
  type: "object",
  properties: { a: { type: "array", items: { type: "object", properties: { b: { type: "string" } } } } },
};
const FORM = "application/x-www-form-urlencoded";
const form =
  (toPair: (index: number) => string) =>
  (bytes: number): WorstInput => ({
    contentType: FORM,
    body: (items(toPair)(bytes).body ?? "").slice(1, -1).replaceAll(",", "&"),
  });
const multipart =
  (toPart: (index: number) => string) =>
  (bytes: number): WorstInput => ({
    contentType: "multipart/form-data; boundary=b",
    body: `${(items((index) => `--b\r\nContent-Disposition: form-data; ${toPart(index)}\r\n`)(bytes).body ?? "").slice(1, -1).replaceAll("\n,", "\n")}--b--\r\n`,
  });
const FILES = {
  type: "object",
  properties: { f: { type: "array", items: { type: "string", format: "binary" } } },
};

const FORMS: readonly WorstCase[] = [
  {
    name: "form: many fields",
    covers: [],
    contentType: FORM,
    schema: OPEN,
    input: form((index) => `k${index}=1`),
  },
  {
    name: "form: many undeclared fields",
    covers: [],
    contentType: FORM,
    schema: { type: "object", properties: { a: {} }, additionalProperties: false },
    input: form((index) => `k${index}=1`),
  },
  {
    name: "form: many fields that are objects",
    covers: [],
    contentType: FORM,
    schema: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: { x: { type: "string" } },
        additionalProperties: { type: "string" },
      },
    },
    input: form((index) => `k${index}=1`),
  },
  {
    name: "form: many fields that are numbers",
    covers: [],
    contentType: FORM,
    schema: { type: "object", additionalProperties: { type: "integer" } },
    input: form((index) => `k${index}=a`),
  },
  {
    name: "form: one field many times",
    covers: [],
    contentType: FORM,
    schema: { type: "object", properties: { a: list({ type: "integer" }) } },
    input: form(() => "a=x"),
  },
  {
    name: "form: one field many times, unexpected",
    covers: [],
    contentType: FORM,
    schema: { type: "object", properties: { a: { type: "integer" } } },
    input: form(() => "a=1"),
  },
  {
    name: "form: percent escapes",
    covers: [],
    contentType: FORM,
    schema: OPEN,
    input: (bytes) => ({ contentType: FORM, body: `a=${"%61+".repeat(bytes / 4)}` }),
  },
  {
    name: "form: bad percent escapes",
    covers: [],
    contentType: FORM,
    schema: OPEN,
    input: form(() => "a=%6"),
  },
  {
    name: "form: & only",
    covers: [],
    contentType: FORM,
    schema: OPEN,
    input: (bytes) => ({ contentType: FORM, body: "&".repeat(bytes) }),
  },
  {
    name: "form: brackets",
    covers: [],
    contentType: FORM,
    schema: DEEP,
    input: form((index) => `a[${index}][b]=1`),
  },
  {
    name: "form: a long name of brackets",
    covers: [],
    contentType: FORM,
    schema: DEEP,
    input: (bytes) => ({ contentType: FORM, body: `a${"[0]".repeat(bytes / 3)}=1` }),
  },
  {
    name: "multipart: many fields",
    covers: [],
    contentType: "multipart/form-data",
    schema: { ...OPEN, properties: FILES.properties },
    input: multipart((index) => `name=k${index}\r\n\r\n1`),
  },
  {
    name: "multipart: one file many times",
    covers: [],
    contentType: "multipart/form-data",
    schema: FILES,
    input: multipart(() => "name=f; filename=a\r\n\r\n1"),
  },
  {
    name: "multipart: a part that ends nowhere",
    covers: [],
    contentType: "multipart/form-data",
    schema: FILES,
    input: (bytes) => ({
      contentType: "multipart/form-data; boundary=b",
      body: `--b\r\nContent-Disposition: form-data; name=f\r\n\r\n${"\r\n--".repeat(bytes / 4)}`,
    }),
  },
  {
    name: "multipart: long headers",
    covers: [],
    contentType: "multipart/form-data",
    schema: FILES,
    input: multipart(() => `name=f; ${'a=\\"b; '.repeat(1_000)}\r\n\r\n1`),
  },
  {
    name: "text: one long text",
    covers: [],
    contentType: "text/plain",
    schema: { type: "string" },
    input: (bytes) => ({ contentType: "text/plain", body: "é".repeat(bytes / 2) }),
  },
];

/** Node refuses longer heads. */
const HEAD = 15_000;
const query =
  (toPair: (index: number) => string) =>
  (bytes: number): WorstInput => ({
    query: form(toPair)(Math.floor((bytes / 100_000) * HEAD)).body ?? "",
  });
const inHeader =
  (name: string, part: string) =>
  (bytes: number): WorstInput => ({
    headers: { [name]: part.repeat(Math.floor(((bytes / 100_000) * HEAD) / part.length)) },
  });
const inQuery = (schema: object, rest: object = {}): Pick<WorstCase, "parameters"> => ({
  parameters: [{ name: "q", in: "query", schema, ...rest }],
});

const PARAMETERS: readonly WorstCase[] = [
  {
    name: "query: many values",
    covers: [],
    ...inQuery(list({ type: "integer" })),
    input: query(() => "q=x"),
  },
  {
    name: "query: many unknown names",
    covers: [],
    ...inQuery({ type: "string" }),
    input: query((index) => `k${index}`),
  },
  { name: "query: an exploded object", covers: [], ...inQuery(OPEN), input: query((index) => `k${index}=1`) },
  {
    name: "query: keys of a deepObject",
    covers: [],
    ...inQuery(
      { type: "object", additionalProperties: { type: "integer" } },
      { style: "deepObject", explode: true },
    ),
    input: query((index) => `q[${index}]=x`),
  },
  {
    name: "query: a deep key of a deepObject",
    covers: [],
    ...inQuery(DEEP, { style: "deepObject", explode: true }),
    input: (bytes) => ({ query: `q${"[a]".repeat(((bytes / 100_000) * HEAD) / 3)}=1` }),
  },
  {
    name: "query: pipes",
    covers: [],
    ...inQuery(list({ type: "integer" }), { style: "pipeDelimited", explode: false }),
    input: (bytes) => ({ query: `q=${"%7Ca".repeat(((bytes / 100_000) * HEAD) / 4)}` }),
  },
  {
    name: "query: percent escapes",
    covers: [],
    ...inQuery({ type: "string" }),
    input: (bytes) => ({ query: `q=${"%C3%A9".repeat(((bytes / 100_000) * HEAD) / 6)}` }),
  },
  {
    name: "query: a long number",
    covers: [],
    ...inQuery({ type: "number" }),
    input: (bytes) => ({ query: `q=${"1".repeat((bytes / 100_000) * HEAD)}.e` }),
  },
  {
    name: "query: JSON",
    covers: [],
    parameters: [
      { name: "q", in: "query", content: { "application/json": { schema: { uniqueItems: true } } } },
    ],
    input: (bytes) => ({
      query: `q=${encodeURIComponent(items((index) => `{"a":${index}}`)((bytes / 300_000) * HEAD).body ?? "")}`,
    }),
  },
  {
    name: "header: a list",
    covers: [],
    parameters: [{ name: "X-List", in: "header", schema: list({ type: "integer" }) }],
    input: inHeader("X-List", "a, "),
  },
  {
    name: "header: spaces",
    covers: [],
    parameters: [{ name: "X-List", in: "header", schema: { type: "string", maxLength: 1 } }],
    input: inHeader("X-List", "a \t "),
  },
  {
    name: "cookies",
    covers: [],
    parameters: [{ name: "c", in: "cookie", schema: { type: "integer" } }],
    input: inHeader("Cookie", 'a="b"; '),
  },
  { name: "Accept", covers: [], input: inHeader("Accept", "a/b;q=0.1, ") },
  {
    name: "Content-Type",
    covers: [],
    schema: {},
    input: (bytes) => ({
      body: "1",
      contentType: `application/json${'; a="\\\\"'.repeat(((bytes / 100_000) * HEAD) / 8)}`,
    }),
  },
  { name: "Authorization", covers: [], input: inHeader("Authorization", "Bearer  ") },
];

/** What formats repeat, so that each is tried with the repetition of the others. */
const PUMPS = [
  "a",
  "0",
  "1.",
  "a.",
  "a-",
  "-",
  ".",
  ":",
  "::",
  "0:",
  "1:",
  "/",
  "//",
  "a/",
  "@",
  "a@",
  ":@",
  "a:",
  "%20",
  "%",
  " ",
  "#",
  "~0",
  "~",
  "{a}",
  "{",
  "{a,",
  "[",
  "(",
  "(a",
  "\\",
  "é",
  "+",
  "=",
  "A=",
  "1Y",
  "T",
  "25",
  "1",
];
const STARTS = [
  "",
  "a",
  "http://",
  "http://a@",
  "mailto:",
  "P",
  "PT",
  "a@",
  "1.",
  "/",
  "#/",
  "0",
  "{",
  "2020-01-01T00:00:00.",
  "00:00:00.",
  "::",
  "urn:uuid:",
];
const ENDS = ["", "!", "\n", " ", "@", "^"];

const FORMAT_CASES: readonly WorstCase[] = PUMPS.flatMap((pump) =>
  STARTS.map((start) => ({
    name: `formats: ${JSON.stringify(start)}, many ${JSON.stringify(pump)}`,
    covers: FORMATS,
    // All at once, so that one text tries each.
    schema: list({ allOf: FORMATS.map((format) => ({ format })) }),
    input: (bytes: number) =>
      json(ENDS.map((end) => start + pump.repeat(bytes / ENDS.length / pump.length) + end)),
  })),
);

export const WORST_CASES: readonly WorstCase[] = [...KEYWORDS, ...SYNTAX, ...FORMS, ...PARAMETERS];

export const FORMAT_WORST_CASES: readonly WorstCase[] = FORMAT_CASES;
