import { describe, expect, test } from "@jest/globals";
import { createDocsSite, type SiteOptions } from "../../../src/cli/docs/index.js";

const BASE = { openapi: "3.1.0", info: { title: "Pets", version: "1.2.3" }, paths: {} };

/** The files of a site that programs read. */
function readTwins(document: object, options: SiteOptions = {}): Readonly<Record<string, string>> {
  const files = createDocsSite({ ...BASE, ...document }, { now: 0, ...options });
  const twins = files.filter(({ name }) => /\.(?:md|txt)$/.test(name));
  return Object.fromEntries(twins.map(({ name, text }) => [name, text]));
}

/** The Markdown of the only operation, `GET /`, below its heading. */
function readOperation(operation: object, root: object = {}): string {
  const get = { operationId: "only", responses: {}, ...operation };
  const { "index.md": text = "" } = readTwins({ ...root, paths: { "/": { get } } });
  return text.replace(/^[^]*### Only\n\n/, "");
}

const toContent = (schema: object) => ({ "application/json": { schema } });
const PET = {
  type: "object",
  description: "A *pet*.\n\n- one\n- two",
  required: ["name"],
  properties: {
    name: { type: "string", maxLength: 9, description: "Its name.\n\nAny [name](#operation/getPet)." },
    kind: { enum: ["cat", "dog"], "x-enumDescriptions": { cat: "It purrs." } },
    friend: { $ref: "#/components/schemas/Pet" },
    tag: { type: "string", readOnly: true, "x-deprecated-since": "2026-01-01" },
  },
};
const components = { schemas: { Pet: PET } };

describe("the twin of a page", () => {
  test("has the description and the members of a schema", () => {
    expect(readTwins({ components })["index.md"]).toContain(`## Schemas

### Pet

A *pet*.

- one
- two

- \`name\` (string, required, at most 9 characters)

  Its name.

  Any [name](index.md#operation/getPet).

- \`kind\` (string)
  - One of:
    - \`cat\`: It purrs.
    - \`dog\`
- \`friend\` ([Pet](index.md#schema/Pet))

  A *pet*.

  - one
  - two

- \`tag\` (string, read-only, deprecated, since 2026-01-01)
`);
  });

  test("has the same schemas, tags and operations as the page when there are several", () => {
    const text = "A word. ".repeat(300);
    const schemas = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`S${index}`, { type: "object", description: text }]),
    );
    const toOperation = (id: string, tag: string) => ({
      operationId: id,
      description: `${text}${text}`,
      tags: [tag],
      responses: { 200: { description: `See [it](#operation/other0).` } },
    });
    const paths = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `/p${index}`,
        { get: toOperation(`many${index}`, "many"), post: toOperation(`other${index}`, "other") },
      ]),
    );
    const tags = [
      { name: "many", description: "Very *many*.", externalDocs: { url: "https://a.example" } },
      { name: "other" },
    ];
    const twins = readTwins({ paths, tags, components: { schemas: { ...schemas, Pet: PET } } });
    expect(twins["schema.Pet.md"]).toMatch(
      /^# Pets 1\.2\.3\n\n## \[Schemas\]\(schemas\.md#schemas\)\n\n### Pet\n\nA \*pet\*\.[^]*- `name` \(string/,
    );
    expect(twins["schemas.md"]).toContain("## Schemas\n\n- [S0](schema.S0.md#schema/S0)\n");
    expect(twins["tag.many.md"]).toMatch(
      /^# Pets 1\.2\.3\n\n## many\n\nVery \*many\*\.\n\n\[More documentation\]\(https:\/\/a\.example\)\n\n- \[Many0\]\(operation\.many0\.md#operation\/many0\): `GET` `\/p0`\n/,
    );
    expect(twins["operation.many0.md"]).toContain("See [it](operation.other0.md#operation/other0).");
    expect(twins["index.md"]).toContain(
      "## Reference\n\n- [many](tag.many.md#tag/many) (120): Very many.\n- [other](tag.other.md#tag/other) (120)\n",
    );
    expect(twins["llms.txt"]).toContain("- [Many0](operation.many0.md): `GET` `/p0`\n");
    expect(twins["llms.txt"]).toContain("## Schemas\n\n- [Schemas](schemas.md)\n- [S0](schema.S0.md)\n");
    for (const part of ["### Pet\n", "### Many0\n", "Very *many*."])
      expect(twins["llms-full.txt"]?.split(part)).toHaveLength(2);
  });

  test("has webhooks, also those of a contract without operations", () => {
    const post = {
      summary: "It happened",
      requestBody: { required: true, description: "The *event*.", content: toContent(PET) },
      responses: { 200: { description: "Heard" } },
    };
    const twins = readTwins({ webhooks: { happened: { post } } });
    const want = `## Webhooks

### It happened

Webhook \`happened\`: \`POST\` the address that you register

#### Request body (required)

The *event*.

\`application/json\`

- \`name\` (string, required, at most 9 characters)`;
    expect(twins["index.md"]).toContain(want);
    expect(twins["llms-full.txt"]).toContain(want);
    expect(twins["llms.txt"]).toContain("## Webhooks\n\n- [It happened](index.md): `POST`\n");
    expect(twins["llms.txt"]).not.toContain("## Operations");
  });

  test("has servers with their variables, and security schemes with flows and scopes", () => {
    const variables = { region: { default: "eu", enum: ["eu", "us"], description: "Where." } };
    const flow = {
      authorizationUrl: "https://a.example/authorize",
      tokenUrl: "https://a.example/token",
      scopes: { read: "To *read*", write: "" },
    };
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Key", description: "Ask [us](https://a.example)." },
      login: { type: "oauth2", flows: { authorizationCode: flow } },
    };
    const { "index.md": text } = readTwins({
      servers: [{ url: "https://{region}.example/v1", description: "The one", variables }],
      components: { securitySchemes },
      paths: { "/": { get: { security: [{ login: ["read"] }, {}], responses: {} } } },
    });
    expect(text).toContain(`## Servers

- \`https://eu.example/v1\`, from \`https://{region}.example/v1\`: The one
  - \`region\` (default \`eu\`, one of \`eu\` \`us\`): Where.

## Security schemes

- \`key\` (header \`X-Key\`): Ask [us](https://a.example).
- \`login\` (OAuth 2.0)
  - authorizationCode, authorization at \`https://a.example/authorize\`, tokens at \`https://a.example/token\`; scopes:
    - \`read\`: To *read*
    - \`write\`
`);
    expect(text).toContain("- Needs [login](index.md#security/login) with `read` or nothing\n");
  });

  test("has the texts of the contract below its title", () => {
    const info = {
      ...BASE.info,
      summary: "Each pet.",
      description: "# Start\n\n```sh\n# A comment\n```\n\nSee [it](#tag/pets).",
      license: { name: "MIT", url: "https://a.example/mit" },
      contact: { email: "us@a.example" },
    };
    const { "index.md": text = "", "llms.txt": contents } = readTwins({ info });
    expect(text).toMatch(
      /^# Pets 1\.2\.3\n\nOpenAPI 3\.1\.0 · licence \[MIT\]\(https:\/\/a\.example\/mit\)\n/,
    );
    expect(text).toContain("- [us@a.example](mailto:us@a.example)\n");
    expect(text).toContain("\n\n## Start\n\n```sh\n# A comment\n```\n\nSee [it](index.md#tag/pets).\n");
    expect(contents).toMatch(/^# Pets 1\.2\.3\n\n> Each pet\.\n/);
  });
});

test("further rules of a schema have no type of their own", () => {
  const properties = { a: { type: "integer" }, b: {}, list: { type: "array", contains: { minimum: 5 } } };
  const rules = { not: { required: ["c"] }, dependentSchemas: { a: { properties: { b: { const: 1 } } } } };
  const Ruled = { type: "object", properties, ...rules };
  const { "index.md": text = "" } = readTwins({ components: { schemas: { Ruled } } });
  expect(text).toContain(`### Ruled

- \`a\` (integer)
- \`b\` (anything)
- \`list\` (array)
  - Of the items, at least 1 (at least 5)
- With a
  - \`b\` (integer, always \`1\`)
- Not (needs \`c\`)
`);
});

describe("the twin of an operation", () => {
  test("has its parameters, lifecycle and facts", () => {
    const text = readOperation({
      "x-sunset": "2030-12-05",
      "x-replaced-by": "next",
      description: "Does it.\n\n# Note",
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", default: 20 }, example: 5 },
        { name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } },
      ],
    });
    expect(text).toBe(`\`GET\` \`/\`

**Deprecated**; will be removed on 2030-12-05. Use [next](index.md#operation/next) instead.

Does it.

#### Note

- operationId: \`only\`
- Can be repeated safely with \`Idempotency-Key\`

curl:

\`\`\`shell
curl -i 'https://service.example/?limit=5' \\
  -H 'Idempotency-Key: early-amber-3'
\`\`\`

#### Query parameters

- \`limit\` (integer, example \`5\`, default \`20\`)

#### Headers

- \`Idempotency-Key\` (string, required)
`);
  });

  test("has whole descriptions of responses, their codes, headers and links", () => {
    const code = { type: "string", enum: ["gone", "lost"], "x-enumDescriptions": { gone: "It is *gone*." } };
    const text = readOperation({
      responses: {
        200: {
          description: "Fine:\n\n- [one](https://a.example)\n- two",
          headers: { "X-Left": { required: true, description: "How many.", schema: { type: "integer" } } },
          links: {
            Next: { operationId: "only", parameters: { id: "$response.body#/id" }, description: "Go on." },
          },
        },
        404: { description: "", content: toContent({ type: "object", properties: { code } }) },
      },
    });
    expect(text).toContain(`##### 200 OK

Fine:

- [one](https://a.example)
- two

Headers:

- \`X-Left\` (integer, always): How many.

Links:

- Next: [\`only\`](index.md#operation/only) with \`id\` from \`$response.body#/id\`: Go on.

##### 404 Not Found

Codes:

- \`gone\`: It is *gone*.
- \`lost\`

\`application/json\`
`);
  });

  test("has every example with its name and description, in the language of its media type", () => {
    const text = readOperation({
      requestBody: {
        content: {
          "application/xml": { example: "<a/>" },
          "text/plain": { examples: { long: { externalValue: "https://a.example/long.txt" } } },
        },
      },
      responses: {
        200: {
          description: "It",
          content: {
            "application/json": {
              examples: {
                first: { summary: "The first", description: "See [one](#tag/a).", value: ["](#tag/a)"] },
                second: { value: 2 },
                far: { externalValue: "https://a.example/3.json" },
              },
            },
            "text/csv": { example: "a,b\n1,2" },
            "text/event-stream": { example: "data: 1\n\ndata: ```" },
            "application/problem+xml": { example: "<b/>" },
          },
        },
      },
    });
    expect(text).toContain("`application/xml`\n\nExample:\n\n```xml\n<a/>\n```");
    expect(text).toContain("`text/plain`\n\nExample: long\n\n<https://a.example/long.txt>");
    expect(text).toContain(
      'Example: The first\n\nSee [one](index.md#tag/a).\n\n```json\n[\n  "](#tag/a)"\n]\n```\n\nExample: second\n\n```json\n2\n```\n\nExample: far\n\n<https://a.example/3.json>',
    );
    expect(text).toContain("`text/csv`\n\nExample:\n\n```csv\na,b\n1,2\n```");
    expect(text).toContain("`text/event-stream`");
    expect(text).toContain("\n````\ndata: 1\n\ndata: ```\n````");
    expect(text).toContain("```xml\n<b/>\n```");
  });

  test("has the first sample of code, with an address that does not depend on the page", () => {
    expect(readOperation({}, { servers: [{ url: "https://a.example/v1" }] })).toContain(
      "curl:\n\n```shell\ncurl -i 'https://a.example/v1/'\n```\n",
    );
    const own = { lang: "python`\n", label: "Mine", source: "call()" };
    expect(readOperation({ "x-codeSamples": [own] })).toContain("Mine:\n\n```python\ncall()\n```\n");
  });

  test("has its callbacks", () => {
    const post = { requestBody: { content: toContent({ type: "string" }) }, responses: { 204: {} } };
    expect(readOperation({ callbacks: { done: { "{$request.body#/url}": { post } } } })).toContain(
      "#### done\n\nCallback `done`: `POST` `{$request.body#/url}`\n\n##### Request body\n\n`application/json`: string\n\n##### Responses\n\n###### 204 No Content\n",
    );
  });

  test("names a component that is within itself, and links to its own place", () => {
    const tree = { type: "object", properties: { left: { $ref: "#/components/schemas/Tree" } } };
    const schema = {
      oneOf: [{ $ref: "#/components/schemas/Tree" }, { type: "array", items: { minLength: 2 } }],
    };
    const root = { components: { schemas: { Tree: tree } } };
    expect(readOperation({ responses: { 200: { content: toContent(schema) } } }, root)).toContain(
      `\`application/json\`: one of Tree, array

- One of these:
  - Tree ([Tree](index.md#schema/Tree))
    - \`left\` ([Tree](index.md#schema/Tree))
  - array
    - each item (at least 2 characters)
`,
    );
  });
});

test("llms.txt has no empty quotation and no empty list", () => {
  expect(readTwins({})["llms.txt"]).toBe(
    "# Pets 1.2.3\n\n## Whole\n\n- [Introduction](index.md)\n- [All pages](llms-full.txt)\n- [OpenAPI document](openapi.yaml)\n",
  );
});
