// @slow: runs the compiler for every case.
import { describe, expect, test } from "@jest/globals";
import { emitTypes } from "../../../src/cli/generate/types/types.js";
import { compile, installTenon } from "../commands/compile.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createProject } from "../load/project.js";
import { testEmit } from "./given-want.js";

type Schemas = Readonly<Record<string, unknown>>;

const toDocument = (schemas: Schemas, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Test", version: "1.0.0" },
  paths: {},
  components: { schemas },
  ...more,
});

const emit = (document: Schemas) => emitTypes(buildContract(document), { source: "openapi.yaml" });

/** What `components["schemas"]` has, without its indentation, and the aliases. */
function emitSchemas(document: Schemas): string {
  const { text, problems } = emit(document);
  expect(problems).toEqual([]);
  const aliases = text.split("\n").filter((line) => line.startsWith("type "));
  const schemas = /^ {4}schemas: \{\n(.*?)^ {4}\};/ms.exec(text)?.[1] ?? "";
  return [...aliases, schemas.replaceAll(/^ {8}/gm, "")].join("\n");
}

const text = { type: "string" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

testEmit<Schemas>("types.ts: schemas", (schemas) => emitSchemas(toDocument(schemas)), [
  ["a schema that is a boolean", { A: true, B: false }, "A: unknown;\nB: never;\n"],
  [
    "booleans within",
    { A: { type: "array", items: false }, B: { allOf: [true, text] } },
    "A: never[];\nB: string;\n",
  ],
  [
    "an object is open where nothing is declared, and closed where it says so",
    { A: { type: "object" }, B: { type: "object", additionalProperties: false } },
    "A: Record<string, unknown>;\nB: {\n    [key: string]: never;\n};\n",
  ],
  [
    "what is required elsewhere",
    { A: { allOf: [ref("B")], required: ["b"] }, B: { properties: { b: text } } },
    'A: components["schemas"]["B"] & {\n    b: {} | null;\n};\nB: {\n    b?: string;\n};\n',
  ],
  [
    "choices narrow what stands beside them",
    { A: { type: "object", properties: { a: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] } },
    "A: {\n    a?: string;\n} & ({\n    a: {} | null;\n} | {\n    b: {} | null;\n});\n",
  ],
  ["a choice of anything is anything", { A: { anyOf: [text, {}] } }, "A: unknown;\n"],
  [
    "several types, one of them null",
    { A: { type: ["integer", "string", "null"] } },
    "A: number | string | null;\n",
  ],
  [
    "types with parts",
    { A: { type: ["string", "null"], oneOf: [{ const: "a" }, { const: null }] } },
    'A: (string | null) & ("a" | null);\n',
  ],
  [
    "a constant of null, and one that no literal can say",
    { A: { const: null }, B: { const: { a: 1 } } },
    "A: null;\nB: unknown;\n",
  ],
  [
    "an enum of everything",
    { A: { enum: ["a", 1, -1.5, true, null] } },
    'A: "a" | 1 | -1.5 | true | null;\n',
  ],
  ["a number without end", { A: { enum: [Infinity] } }, "A: number;\n"],
  ["an enum beside an object", { A: { type: "object", properties: { a: text }, enum: ["a"] } }, 'A: "a";\n'],
  [
    "tuples",
    {
      A: { type: "array", prefixItems: [text, { type: "number" }], minItems: 1, items: false },
      B: { prefixItems: [text], items: { type: "number" } },
      C: { type: "array", items: { prefixItems: [text], minItems: 1, items: false } },
    },
    "A: ([\n    string,\n    number?\n]);\nB: ([\n    string?,\n    ...number[]\n]);\nC: ([\n    string\n])[];\n",
  ],
  [
    "lists of lists",
    { A: { items: { items: text } }, B: { items: { anyOf: [{ items: text }] } } },
    "A: string[][];\nB: string[][];\n",
  ],
  [
    "members by pattern",
    {
      A: { patternProperties: { "^x": text }, additionalProperties: false },
      B: { patternProperties: { "^x": text } },
    },
    "A: {\n    [key: string]: string;\n};\nB: {\n    [key: string]: unknown;\n};\n",
  ],
  [
    "members beside declared ones are of any type",
    { A: { properties: { a: text }, additionalProperties: { type: "number" } } },
    "A: {\n    a?: string;\n} & {\n    [key: string]: unknown;\n};\n",
  ],
  [
    "a default may be left out, unless it is required",
    {
      A: {
        required: ["a"],
        properties: { a: { default: 1, type: "integer" }, b: { default: 1, type: "integer" } },
      },
    },
    "A: {\n    /** @default 1 */\n    a: number;\n    /** @default 1 */\n    b?: number;\n};\n",
  ],
  [
    "marks, its own and its target's; both are none",
    {
      A: {
        properties: { a: { ...text, readOnly: true }, b: ref("B"), c: { readOnly: true, writeOnly: true } },
      },
      B: { ...text, writeOnly: true },
    },
    'A: {\n    a?: $Read<string>;\n    b?: $Write<components["schemas"]["B"]>;\n    c?: unknown;\n};\nB: string;\n',
  ],
  [
    "a reference with a description, and one with more",
    {
      A: { properties: { a: { ...ref("B"), description: "An a." } } },
      B: { ...ref("C"), required: ["c"] },
      C: {},
    },
    'A: {\n    /** @description An a. */\n    a?: components["schemas"]["B"];\n};\nB: components["schemas"]["C"] & {\n    c: {} | null;\n};\nC: unknown;\n',
  ],
  [
    "a reference into a schema",
    {
      A: { properties: { a: { properties: { b: text } } } },
      B: { $ref: "#/components/schemas/A/properties/a" },
    },
    'A: {\n    a?: {\n        b?: string;\n    };\n};\nB: components["schemas"]["components/schemas/A/properties/a"];\n"components/schemas/A/properties/a": {\n    b?: string;\n};\n',
  ],
  [
    "a percent-encoded reference",
    { "a b": text, B: { $ref: "#/components/schemas/a%20b" } },
    '"a b": string;\nB: components["schemas"]["a b"];\n',
  ],
  [
    "members of every object",
    {
      A: {
        required: ["hasOwnProperty"],
        properties: {
          hasOwnProperty: text,
          valueOf: text,
          constructor: text,
          ["__proto__"]: text,
          toString: { properties: { "100%": { properties: { "#/%zz": text, "": text } } } },
        },
      },
    },
    'A: {\n    hasOwnProperty: string;\n    valueOf?: string;\n    constructor?: string;\n    __proto__?: string;\n    toString?: {\n        "100%"?: {\n            "#/%zz"?: string;\n            ""?: string;\n        };\n    };\n};\n',
  ],
  [
    "names that are not of ASCII stay readable",
    { größe: { properties: { 名: text } } },
    '"größe": {\n    "名"?: string;\n};\n',
  ],
  ["what 3.0 called nullable is nothing", { A: { ...text, nullable: true } }, "A: string;\n"],
  [
    "a type that says less than a part",
    { A: { type: "object", allOf: [ref("B")] }, B: { properties: { b: text } } },
    'A: components["schemas"]["B"];\nB: {\n    b?: string;\n};\n',
  ],
  [
    "a list of itself has an alias",
    {
      Json: {
        description: "Any.",
        anyOf: [text, { items: ref("Json") }, { additionalProperties: ref("Json") }],
      },
    },
    "type JsonAlias = string | JsonAlias[] | {\n/** @description Any. */\nJson: JsonAlias;\n",
  ],
]);

const kind = { kind: text };
const withKind = { type: "object", required: ["kind"], properties: kind };

testEmit<Schemas>(
  "types.ts: schemas of OpenAPI 3.0",
  (schemas) => emitSchemas({ ...toDocument(schemas), openapi: "3.0.3" }),
  [
    [
      "null is allowed with or without a type, but not beside a reference",
      {
        A: { ...text, nullable: true },
        B: { nullable: true, allOf: [ref("A")] },
        C: { ...ref("A"), nullable: true },
      },
      'A: string | null;\nB: components["schemas"]["A"] | null;\nC: components["schemas"]["A"];\n',
    ],
  ],
);

testEmit<Schemas>("types.ts: discriminators", (schemas) => emitSchemas(toDocument(schemas)), [
  [
    "a choice has its value, by mapping, bare name or its own",
    {
      A: {
        oneOf: [ref("B"), ref("C"), ref("D"), ref("E")],
        discriminator: {
          propertyName: "kind",
          mapping: { b: "#/components/schemas/B", c: "C", none: "nowhere" },
        },
      },
      B: withKind,
      C: withKind,
      D: withKind,
      E: { properties: { kind: { const: "own" } } },
    },
    'A: (components["schemas"]["B"] & {\n    kind: "b";\n}) | (components["schemas"]["C"] & {\n    kind: "c";\n}) | (components["schemas"]["D"] & {\n    kind: "D";\n}) | components["schemas"]["E"];\nB: {\n    kind: string;\n};\nC: {\n    kind: string;\n};\nD: {\n    kind: string;\n};\nE: {\n    kind?: "own";\n};\n',
  ],
]);

testEmit<Schemas>("types.ts: hierarchies", (schemas) => emitSchemas(toDocument(schemas)), [
  [
    "a base is any of its heirs or itself, and alone where it is extended",
    {
      Pet: { ...withKind, discriminator: { propertyName: "kind", mapping: { d: ref("Dog").$ref } } },
      Dog: { allOf: [ref("Pet")] },
      Puppy: { allOf: [ref("Dog"), { properties: { age: text } }] },
    },
    'Pet: (components["schemas"]["Dog"] & {\n    kind: "d";\n}) | (components["schemas"]["Puppy"] & {\n    kind: "Puppy";\n}) | (components["schemas"]["Pet base"] & {\n    kind: "Pet";\n});\n"Pet base": {\n    kind: string;\n};\nDog: components["schemas"]["Pet base"];\nPuppy: components["schemas"]["Dog"] & {\n    age?: string;\n};\n',
  ],
  [
    "a base that lists its descendants lends them its members only",
    {
      Pet: { ...withKind, oneOf: [ref("Dog")], discriminator: { propertyName: "kind" } },
      Dog: { allOf: [ref("Pet"), { properties: { age: text } }] },
    },
    'Pet: {\n    kind: string;\n} & (components["schemas"]["Dog"] & {\n    kind: "Dog";\n});\nDog: {\n    kind: string;\n} & {\n    age?: string;\n};\n',
  ],
]);

const toOperations = (operation: object, components: object = {}) => ({
  openapi: "3.1.0",
  paths: { "/a": { get: { operationId: "a", responses: {}, ...operation } } },
  components: { requestBodies: { Body: { required: true, content: {} } }, ...components },
});

testEmit<object>(
  "types.ts: operations",
  (operation) =>
    /^ {4}a: \{\n(.*?)^ {4}\};/ms.exec(emit(toOperations(operation)).text)?.[1]?.replaceAll(/^ {8}/gm, "") ??
    "",
  [
    [
      "parameters: JSON is typed, what OpenAPI ignores is not there, a default is told",
      {
        parameters: [
          { name: "filter", in: "query", content: { "application/json": { schema: { items: text } } } },
          { name: "Accept", in: "header", schema: text },
          { name: "limit", in: "query", schema: { type: "integer", default: 20 } },
        ],
      },
      "parameters: {\n    query?: {\n        filter?: string[];\n        /** @default 20 */\n        limit?: number;\n    };\n    header?: never;\n    path?: never;\n    cookie?: never;\n};\nrequestBody?: never;\nresponses: never;\n",
    ],
    [
      "what is sent: a value, a form, text or bytes",
      {
        requestBody: {
          content: Object.fromEntries(
            ["application/json", "application/x-www-form-urlencoded", "text/csv", "image/png", "*/*"].map(
              (name) => [name, { schema: { type: "boolean" } }],
            ),
          ),
        },
      },
      'parameters: {\n    query?: never;\n    header?: never;\n    path?: never;\n    cookie?: never;\n};\nrequestBody?: {\n    content: {\n        "application/json": boolean;\n        "application/x-www-form-urlencoded": boolean | URLSearchParams;\n        "text/csv": string;\n        "image/png": Bytes;\n        "*/*": boolean | string | Bytes;\n    };\n};\nresponses: never;\n',
    ],
    [
      "a body by reference, which is required there",
      { requestBody: { $ref: "#/components/requestBodies/Body" } },
      'parameters: {\n    query?: never;\n    header?: never;\n    path?: never;\n    cookie?: never;\n};\nrequestBody: components["requestBodies"]["Body"];\nresponses: never;\n',
    ],
    [
      "what is received: a value, text or a Blob; headers as they are required",
      {
        responses: {
          "200": {
            headers: { A: { required: true, schema: text }, B: { schema: text } },
            content: Object.fromEntries(
              ["application/json", "text/*", "image/*", "application/*"].map((name) => [
                name,
                { schema: { type: "boolean" } },
              ]),
            ),
          },
          "x-note": { description: "" },
        },
      },
      'parameters: {\n    query?: never;\n    header?: never;\n    path?: never;\n    cookie?: never;\n};\nrequestBody?: never;\nresponses: {\n    200: {\n        headers: {\n            A: string;\n            B?: string;\n            [name: string]: unknown;\n        };\n        content: {\n            "application/json": boolean;\n            "text/*": string;\n            "image/*": Blob;\n            "application/*": boolean | string | Blob;\n        };\n    };\n};\n',
    ],
  ],
);

describe("types.ts: deprecation", () => {
  test("tells since when, until when, and what to use instead", () => {
    const responses = {};
    const old = {
      deprecated: true,
      "x-deprecated-since": "2026-11-21",
      "x-sunset": "2030-12-05",
      "x-replaced-by": "b",
    };
    const { text: types } = emit({
      openapi: "3.1.0",
      paths: {
        "/a": { get: { operationId: "a", responses, ...old }, put: { responses, deprecated: true } },
        "/b": { get: { operationId: "b", responses } },
      },
    });
    expect(types).toContain("/** @deprecated Since 2026-11-21. Removed on 2030-12-05. Use b: GET /b. */");
    expect(types).toContain("/** @deprecated */\n        put:");
  });

  test("tells nothing that nobody can read", () => {
    const get = { responses: {}, deprecated: true, "x-sunset": "soon" };
    expect(emit({ openapi: "3.1.0", paths: { "/a": { get } } }).text).toContain("/** @deprecated */");
  });

  test("tells it of operations, parameters, headers and properties, after what is no tag and before what is one", () => {
    const old = {
      title: "An A",
      description: "The first.",
      deprecated: true,
      "x-sunset": "2030-12-05",
      "x-replaced-by": "b",
      "x-stability-level": "beta",
    };
    const { text: types } = emit({
      openapi: "3.1.0",
      paths: {
        "/a": {
          get: {
            parameters: [{ name: "a", in: "query", schema: { type: "string" }, ...old }],
            responses: { "204": { description: "Done.", headers: { "X-A": { schema: {}, ...old } } } },
          },
        },
      },
      components: { schemas: { A: { properties: { a: { type: "integer", format: "int64", ...old } } } } },
    });
    const lines = (before: string) =>
      `${before} +\\* +Stability: beta\\.\n +\\* @deprecated Removed on 2030-12-05\\. Use b\\.\n +\\* @description The first\\.\n +\\*/\n`;
    expect(types).toMatch(new RegExp(`${lines("")} +a\\?: string;`));
    expect(types).toMatch(new RegExp(`${lines("")} +"X-A"\\?: unknown;`));
    expect(types).toMatch(new RegExp(`${lines(" \\* An A\n +\\* +Format: int64\n")} +a\\?: number;`));
  });

  test("tells how stable something is", () => {
    const schema = { type: "string", format: "uuid", "x-stability-level": "draft", description: "A." };
    const { text: types } = emit({ openapi: "3.1.0", paths: {}, components: { schemas: { A: schema } } });
    expect(types).toContain("* Stability: draft.\n         * Format: uuid\n         * @description A.\n");
  });

  test("tells nothing that ends the comment", () => {
    const responses = {};
    const get = { responses, deprecated: true, "x-replaced-by": "*/ @ts-ignore" };
    expect(emit({ openapi: "3.1.0", paths: { "/a": { get } } }).text).toContain(
      "/** @deprecated Use *\\/ \\@ts-ignore. */",
    );
  });
});

/** Everything that is known to have made openapi-typescript crash, or write what does not compile. */
const HOSTILE = toDocument(
  {
    Members: {
      required: ["valueOf"],
      properties: { hasOwnProperty: text, constructor: text, ["__proto__"]: text },
    },
    ["__proto__"]: { properties: { "50%": { properties: { "%zz": text } }, "a#/b": text, "*/": text } },
    "100%": { $ref: "#/components/schemas/__proto__" },
    Data: { example: { $ref: "#/no" }, default: { $ref: "#/no" }, const: { $ref: "#/no" } },
    Mapped: {
      oneOf: [ref("Members"), true],
      discriminator: { propertyName: "kind", mapping: { a: "Members", b: "#/no", c: 7 } },
    },
    Titles: {
      title: 7,
      description: "*/ \ud800 @ts-ignore",
      examples: [1, "*/"],
      format: 1,
      deprecated: "yes",
    },
    List: { items: ref("List") },
    Left: { anyOf: [text, { items: ref("Right") }] },
    Right: { oneOf: [ref("Left"), { prefixItems: [ref("Right")] }] },
    Base: { oneOf: [ref("Child")], properties: { a: text } },
    Child: { allOf: [ref("Base"), ref("Grandchild")] },
    Grandchild: { allOf: [ref("Base"), { required: ["a", "toString"] }] },
    Tuple: { prefixItems: [ref("Tuple")] },
    One: { allOf: [ref("Other"), { required: ["a"] }] },
    Other: { allOf: [ref("One"), { properties: { a: text } }], discriminator: { propertyName: "kind" } },
    Odd: { type: ["file", "null"], enum: [], allOf: [], required: "a", properties: [], items: [text] },
    Deep: { $ref: "#/paths/~1%7B%C3%B6%7D/get/responses/200/content/application~1json/schema" },
    Encoded: { $ref: "#/components/schemas/100%25" },
  },
  {
    paths: {
      "/{ö}": {
        "x-note": 1,
        parameters: [{ $ref: "#/components/parameters/Trace" }, { name: "ö", in: "path", schema: text }],
        get: {
          operationId: "__proto__",
          parameters: [
            { name: "__proto__", in: "query" },
            { name: "50%", in: "query", schema: ref("List") },
          ],
          requestBody: { $ref: "#/components/requestBodies/a~1b%25" },
          responses: {
            "200": { content: { "application/json": { schema: { items: ref("Right") } }, "*/*; q=%": {} } },
          },
        },
        put: { operationId: "__proto__", responses: { default: { $ref: "#/components/responses/No" } } },
        post: { responses: {} },
        delete: { operationId: "a#/b%", responses: {} },
      },
      "/again": { $ref: "#/paths/~1%7B%C3%B6%7D" },
      "x-path": { get: {} },
    },
    webhooks: { told: { post: { operationId: "told", responses: {} } } },
  },
);

const COMPONENTS = {
  parameters: { Trace: { name: "X-Trace", in: "header", required: true, schema: text } },
  requestBodies: { "a/b%": { required: true, content: { "application/json": {} } } },
  responses: {
    No: { description: "No.", headers: { H: { $ref: "#/components/headers/H" } } },
    Same: { $ref: "#/components/responses/No" },
    Elsewhere: { $ref: "#/paths/~1%7B%C3%B6%7D/get/responses/200" },
  },
  headers: { H: { content: { "text/plain": { schema: text } } } },
};

describe("types.ts: whatever a contract has in it", () => {
  const document = { ...HOSTILE, components: { ...HOSTILE.components, ...COMPONENTS } };

  test.each(["3.0.3", "3.1.0"])("OpenAPI %s: compiles as strictly as can be", (openapi) => {
    const { text: types, problems } = emit({ ...document, openapi });
    expect(problems).toEqual([]);
    const folder = createProject({ "types.ts": types });
    installTenon(folder);
    expect(compile(folder, ["types.ts"])).toEqual([]);
    expect(types.isWellFormed()).toBe(true);
  });

  test("is the same every time, and leaves the document as it is", () => {
    const before = JSON.stringify(document);
    expect(emit(document)).toEqual(emit(structuredClone(document)));
    expect(JSON.stringify(document)).toBe(before);
  });
});

describe("types.ts: what cannot be typed", () => {
  const cyclic: Record<string, unknown> = { type: "string" };
  cyclic["example"] = { cyclic };

  test.each([
    ["data that contains itself", cyclic, /^Cannot generate a type for schemas "A": /],
    ["a schema that is itself", ref("A"), /^Schema "A" consists of itself/],
    ["a choice of itself", { anyOf: [ref("A"), text] }, /^Schema "A" consists of itself/],
  ])("%s is a problem at its place, and the rest is typed", (_, schema, message) => {
    const { text: types, problems } = emit(toDocument({ A: schema, B: text }));
    expect(problems).toEqual([
      { pointer: "#/components/schemas/A", message: expect.stringMatching(message) as unknown },
    ]);
    expect(types).toContain("        B: string;\n");
    const folder = createProject({ "types.ts": types });
    installTenon(folder);
    expect(compile(folder, ["types.ts"])).toEqual([]);
  });

  test("an operation that cannot be typed is told so", () => {
    const { text: types } = emit(
      toOperations({ description: cyclic, parameters: [{ name: "a", in: "query", schema: cyclic }] }),
    );
    expect(types).toContain(
      "    /** @description Unknown: it cannot be expressed as a type. */\n    a: unknown;\n",
    );
  });
});

describe("types.ts: with a cache", () => {
  const before = toDocument({ A: text, B: { properties: { a: ref("A") } } });
  const after = toDocument({ A: { type: "integer" }, B: { properties: { a: ref("A") } } });

  test("is what it is without, whatever was emitted before", () => {
    const cache = new Map<string, string>();
    for (const document of [before, after, HOSTILE, before]) {
      const options = { source: "openapi.yaml" };
      expect(emitTypes(buildContract(document), { ...options, cache })).toEqual(
        emitTypes(buildContract(document), options),
      );
    }
  });

  test("emits only what changed, and keeps only what was used", () => {
    const cache = new Map<string, string>();
    emitTypes(buildContract(before), { source: "a", cache });
    for (const key of cache.keys()) cache.set(key, `// ${cache.get(key) ?? ""}`);
    const { text: types } = emitTypes(buildContract(after), { source: "b", cache });
    expect(types).toContain("        A: number;\n");
    expect(types).toContain("//         B: {\n");
    expect(cache.size).toBe(2);
  });
});
