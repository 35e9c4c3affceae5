// @slow: loads a project for every row.
import { relative } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { loadApis, loadModel } from "../../../src/cli/project/index.js";
import { ContractError } from "../../../src/tenon/core/document/contract-error.js";
import { createProject, REDOCLY } from "./project.js";

const HEAD = "openapi: 3.2.0\ninfo:\n  title: Test\n  version: 1.0.0\n";

async function load(files: Readonly<Record<string, string>>) {
  const folder = createProject(files);
  const [api] = await loadApis(folder);
  if (api === undefined) throw new Error("The project has no API");
  return { folder, ...(await loadModel(api)) };
}

/** `openapi.yaml:8:7 method-unsupported …`, of each error. */
async function findErrors(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = createProject(files);
  const [api] = await loadApis(folder);
  try {
    if (api) await loadModel(api);
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems
      .filter(({ severity }) => severity === "error")
      .map(
        ({ file, line, column, code, message, hint }) =>
          `${relative(folder, file)}:${line}:${column} ${code} ${message}${hint === undefined ? "" : ` → ${hint}`}`,
      );
  }
}

describe("media types of components", () => {
  test("are used by reference in bodies, responses, parameters and headers, also of other files", async () => {
    const { contract } = await load({
      "openapi.yaml": `${HEAD}paths:
  /a:
    post:
      parameters:
        - { name: filter, in: query, content: { application/json: { $ref: "#/components/mediaTypes/Whole" } } }
      requestBody: { content: { application/json: { $ref: "more.yaml#/components/mediaTypes/Text" } } }
      responses:
        "200":
          summary: Done
          headers: { X-Whole: { content: { application/json: { $ref: "#/components/mediaTypes/Whole" } } } }
          content: { application/json: { $ref: "#/components/mediaTypes/Alias" } }
components:
  mediaTypes:
    Alias: { $ref: "#/components/mediaTypes/Whole" }
    Whole: { schema: { type: integer }, example: 7 }
`,
      "more.yaml": `${HEAD}components:
  mediaTypes:
    Text: { schema: { $ref: "#/components/schemas/Text" } }
  schemas:
    Text: { type: string }
`,
    });
    const [operation] = contract.operations;
    const [parameter] = operation?.parameters ?? [];
    const [response] = operation?.responses ?? [];
    expect(parameter).toMatchObject({ type: "json", schema: { type: ["integer"] } });
    expect(
      contract.registry.resolve(operation?.requestBody?.mediaTypes[0]?.schema ?? { pointer: "" }),
    ).toMatchObject({
      type: ["string"],
    });
    expect(response?.headers[0]?.schema).toMatchObject({ type: ["integer"] });
    expect(response?.mediaTypes).toMatchObject([
      { name: "application/json", schema: { type: ["integer"] }, examples: [{ value: 7 }] },
    ]);
  });

  test("with an error are reported where they are, and missing ones where they are used", async () => {
    const paths = (name: string) =>
      `${HEAD}paths:\n  /a:\n    get:\n      responses:\n        "200":\n          content:\n            application/json: { $ref: "#/components/mediaTypes/${name}" }\n`;
    expect(await findErrors({ "openapi.yaml": paths("Missing") })).toEqual([
      'openapi.yaml:11:31 reference-unresolved Cannot resolve $ref "#/components/mediaTypes/Missing"',
    ]);
    const broken = `${paths("Broken")}components:\n  mediaTypes:\n    Broken: { schema: { type: string, pattern: "[" } }\n`;
    expect(await findErrors({ "openapi.yaml": broken })).toEqual([
      'openapi.yaml:14:48 tenon/schema-compiles Expected a regular expression; found "[": Unterminated character class.',
    ]);
  });
});

describe("$self", () => {
  const pet =
    "openapi: 3.2.0\n$self: https://api.example/shared/pets.yaml\ninfo: { title: Pets, version: 1.0.0 }\ncomponents:\n  schemas:\n    Pet: { type: object, properties: { toy: { $ref: toys.yaml#/Toy } } }\n";
  const read = async (self: string, reference: string) => {
    const { contract } = await load({
      "redocly.yaml": REDOCLY.replace("openapi.yaml", "api/openapi.yaml"),
      "api/openapi.yaml": `${HEAD}$self: ${self}\npaths:\n  /pets:\n    get:\n      responses:\n        "200": { content: { application/json: { schema: { $ref: "${reference}" } } } }\ncomponents: { schemas: { Own: { type: integer } } }\n`,
      "shared/pets.yaml": pet,
      "shared/toys.yaml": "Toy: { type: string }\n",
    });
    const { registry, operations } = contract;
    const schema = registry.resolve(operations[0]?.responses[0]?.mediaTypes[0]?.schema ?? { pointer: "" });
    return schema.type?.[0] === "object"
      ? registry.resolve(schema.properties?.["toy"] ?? { pointer: "" }).type
      : schema.type;
  };
  test.each([
    [
      "https://api.example/api/openapi.yaml",
      "https://api.example/api/openapi.yaml#/components/schemas/Own",
      ["integer"],
    ],
    ["https://api.example/api/v1", "/api/v1#/components/schemas/Own", ["integer"]],
    ["https://api.example/api/v1", "v1#/components/schemas/Own", ["integer"]],
    ["/api/v1", "/api/v1#/components/schemas/Own", ["integer"]],
    [
      "https://api.example/api/v1",
      "https://api.example/shared/pets.yaml#/components/schemas/Pet",
      ["string"],
    ],
    ["https://api.example/api/v1", "/shared/pets.yaml#/components/schemas/Pet", ["string"]],
    ["https://api.example/api/v1", "../shared/pets.yaml#/components/schemas/Pet", ["string"]],
  ])("%s is the base of %s", async (self, reference, type) => {
    expect(await read(self, reference)).toEqual(type);
  });

  test("does not lead out of the project", async () => {
    const reference = "https://api.example/etc/passwd";
    const text = `${HEAD}$self: https://api.example/a/b/c/d/e/f/g/h/v1\npaths: {}\ncomponents: { schemas: { A: { $ref: "${reference}" } } }\n`;
    expect(await findErrors({ "openapi.yaml": text })).toEqual([
      'openapi.yaml:7:29 reference-forbidden Cannot resolve $ref "../../../../../../../../etc/passwd": the file is outside the project folder',
    ]);
  });

  test("of another site is not fetched", async () => {
    const text = `${HEAD}$self: https://api.example/v1\npaths: {}\ncomponents: { schemas: { A: { $ref: "https://other.example/a.yaml" } } }\n`;
    expect(await findErrors({ "openapi.yaml": text })).toEqual([
      'openapi.yaml:7:29 reference-forbidden Cannot resolve $ref "https://other.example/a.yaml": x-tenon.referenceHosts does not contain the host other.example',
    ]);
  });
});

test("tags, servers, responses and security have the fields of 3.2", async () => {
  const { contract, problems } = await load({
    "openapi.yaml": `${HEAD}servers: [{ name: production, url: /v1 }]
tags:
  - { name: all, kind: nav }
  - { name: books, summary: Books, parent: all, kind: nav }
  - { name: lost, parent: nowhere }
security: [{ "#/components/securitySchemes/device": [read] }]
paths:
  /a: { get: { responses: { "204": { summary: Done } } } }
components:
  securitySchemes:
    device:
      type: oauth2
      deprecated: true
      oauth2MetadataUrl: https://id.example/.well-known/oauth-authorization-server
      flows:
        deviceAuthorization:
          { deviceAuthorizationUrl: "https://id.example/device", tokenUrl: "https://id.example/token", scopes: { read: Read } }
`,
  });
  expect(contract.servers).toMatchObject([{ name: "production", url: "/v1" }]);
  expect(contract.tags).toMatchObject([
    { name: "all", kind: "nav" },
    { name: "books", displayName: "Books", parent: "all", kind: "nav" },
    { name: "lost", parent: "nowhere" },
  ]);
  const [operation] = contract.operations;
  expect(operation?.security).toEqual([{ device: ["read"] }]);
  expect(operation?.responses[0]).toMatchObject({ status: "204", summary: "Done" });
  expect(contract.securitySchemes).toMatchObject([
    {
      deprecated: true,
      oauth2MetadataUrl: "https://id.example/.well-known/oauth-authorization-server",
      flows: [
        {
          name: "deviceAuthorization",
          deviceAuthorizationUrl: "https://id.example/device",
          scopes: ["read"],
        },
      ],
    },
  ]);
  expect(problems.map(({ line, code }) => `${line} ${code}`)).toEqual(["9 spec-no-invalid-tag-parents"]);
});

test("examples have their data, and text its serialized form; both are linted", async () => {
  const examples = (value: string) => `${HEAD}paths:
  /a:
    get:
      responses:
        "200":
          content:
            application/json:
              schema: { type: object, properties: { n: { type: integer } } }
              examples: { one: { dataValue: { n: ${value} }, serializedValue: "{\\"n\\":1}" } }
            text/csv:
              schema: { type: string }
              examples: { one: { dataValue: "n 1", serializedValue: "n\\n1\\n" } }
`;
  const config = REDOCLY.replace("rules:", "rules:\n  no-invalid-media-type-examples: error");
  const { contract } = await load({ "openapi.yaml": examples("1"), "redocly.yaml": config });
  expect(contract.operations[0]?.responses[0]?.mediaTypes.map((one) => one.examples[0]?.value)).toEqual([
    { n: 1 },
    "n\n1\n",
  ]);
  expect(await findErrors({ "openapi.yaml": examples("x"), "redocly.yaml": config })).toEqual([
    expect.stringContaining("openapi.yaml:13:50 no-invalid-media-type-examples"),
  ]);
  const both = examples("1").replace("dataValue: { n", "value: {}, dataValue: { n");
  expect(await findErrors({ "openapi.yaml": both })).toEqual([
    expect.stringContaining("openapi.yaml:13:34 spec-example-values"),
    expect.stringContaining("openapi.yaml:13:34 spec-example-values"),
  ]);
});

describe("what cannot be served is refused with its position", () => {
  const operation = '{ responses: { "204": { summary: Done } } }';
  test.each([
    [
      "a method that Node.js cannot parse",
      `${HEAD}paths:\n  /a:\n    additionalOperations:\n      GREP: ${operation}\n`,
      [
        'openapi.yaml:8:7 method-unsupported Node.js cannot parse the HTTP method "GREP" → Use one of ACL, BIND, CHECKOUT, COPY, LINK, LOCK, M-SEARCH, MERGE, MKACTIVITY, MKCALENDAR, MKCOL, MOVE, NOTIFY, PROPFIND, PROPPATCH, PURGE, REBIND, REPORT, SEARCH, SOURCE, SUBSCRIBE, UNBIND, UNLINK, UNLOCK, UNSUBSCRIBE',
      ],
    ],
    [
      "a method that has a field, and one in lower case",
      `${HEAD}paths:\n  /a:\n    additionalOperations:\n      POST: ${operation}\n      copy: ${operation}\n`,
      [
        'openapi.yaml:8:7 method-unsupported additionalOperations must not contain "POST" → Write `post` in the path item',
        'openapi.yaml:9:7 method-unsupported "copy" is not an HTTP method: methods are case-sensitive → Write "COPY"',
      ],
    ],
    [
      "a query string beside other parameters of the query, also those of the path item",
      `${HEAD}paths:\n  /a:\n    parameters:\n      - { name: b, in: query, schema: {} }\n    get:\n      parameters:\n        - { name: a, in: querystring, content: { text/plain: {} } }\n      responses: { "204": { summary: Done } }\n`,
      [
        'openapi.yaml:8:9 querystring-invalid The parameter "a" is the whole query string; "b" cannot be in it, too',
      ],
    ],
    [
      "a query string with a schema",
      `${HEAD}paths:\n  /a:\n    get:\n      parameters: [{ name: a, in: querystring, schema: {} }]\n      responses: { "204": { summary: Done } }\n`,
      [
        'openapi.yaml:8:20 querystring-invalid The parameter "a" is the whole query string and must have `content` → Describe it as application/x-www-form-urlencoded, application/json or text/plain',
      ],
    ],
    [
      "a security scheme of another file",
      `${HEAD}security: [{ "schemes.yaml#/key": [] }]\npaths:\n  /a:\n    get: ${operation}\n`,
      [
        'openapi.yaml:5:14 security-scheme-unknown Security scheme "schemes.yaml#/key" is not declared in components/securitySchemes → Declare it there: { $ref: "schemes.yaml#/key" }',
      ],
    ],
    [
      "a cookie's style elsewhere",
      `${HEAD}paths:\n  /a:\n    get:\n      parameters: [{ name: a, in: query, style: cookie, schema: {} }]\n      responses: { "204": { summary: Done } }\n`,
      [
        'openapi.yaml:8:42 parameter-style Cannot read the parameter "a": style "cookie" is not one of form, spaceDelimited, pipeDelimited, deepObject, the styles of a query parameter',
      ],
    ],
  ])("%s", async (_, text, errors) => {
    expect(await findErrors({ "openapi.yaml": text })).toEqual(errors);
  });
});

test.each([
  [
    "by position, and are not a list",
    "multipart/mixed: { schema: { type: object }, prefixEncoding: [{}], itemEncoding: {} }",
    "10:56 `prefixEncoding` of the request body of POST /a is ignored: it needs `itemSchema`, or a `schema` that is an array",
  ],
  [
    "with a keyword that compares them",
    "multipart/mixed: { schema: { type: array, uniqueItems: true }, itemEncoding: {} }",
    "10:53 `uniqueItems` is not applied to the parts of the request body of POST /a",
  ],
  [
    "in a part that is not a list",
    "multipart/mixed: { itemSchema: { type: object }, itemEncoding: { contentType: multipart/mixed, encoding: { a: {} } } }",
    "10:106 The parts in part 1 of the request body of POST /a are not read, because its schema is not an array: it is bytes as a whole",
  ],
  [
    "in parts",
    "multipart/form-data: { schema: { type: object }, encoding: { a: { encoding: { b: {} } } } }",
    '10:77 The parts in the part "a" of the request body of POST /a are not read',
  ],
])("parts of a multipart body that are described %s are reported", async (_, content, warning) => {
  const text = `${HEAD}paths:\n  /a:\n    post:\n      requestBody:\n        content:\n          ${content}\n      responses: { "204": { summary: Done } }\n`;
  const { problems } = await load({ "openapi.yaml": text });
  const found = problems.filter(({ code }) => code === "encoding-unsupported");
  expect(found.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([warning]);
});

test.each([
  [
    "3.3.0",
    'openapi.yaml:1:1 document-version The document must be OpenAPI 3.0, 3.1 or 3.2, found "openapi: 3.3.0"',
  ],
])("OpenAPI %s is refused", async (version, error) => {
  expect(await findErrors({ "openapi.yaml": HEAD.replace("3.2.0", version) })).toEqual([error]);
});
