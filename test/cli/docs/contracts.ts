const json = (schema: object, more: object = {}) => ({ "application/json": { schema, ...more } });
const toLevels = (depth: number): object =>
  depth === 0
    ? { type: "string" }
    : { type: "object", properties: { [`level${depth}`]: toLevels(depth - 1), note: { type: "string" } } };

/** Every kind of thing that the reference shows, so that each can be measured: colours, names, keyboard. */
export const EVERYTHING = {
  openapi: "3.1.0",
  info: {
    title: "Everything",
    version: "1",
    summary: "Each thing once.",
    license: { name: "MIT", url: "https://example.com/license" },
    contact: { name: "Us", url: "https://example.com", email: "us@example.com" },
    description: [
      "Text with `code`, a [link](https://example.com) and **bold** words.",
      "# A section\n\n> A quotation with `code`.\n\n## Below it",
      "| Head | Other |\n| --- | --- |\n| `cell` | text |\n| second | row |",
      '```json\n{ "a": [1, "two", null, true] }\n```\n\n```sh\ncurl -H "A: $B" https://example.com # c\n```',
      "- one\n- two\n\n1. first\n2. second",
      "# A section\n\n- [x] done\n- [ ] to do\n\nA note.[^1]\n\n[^1]: The note, with a [link](https://example.com).",
    ].join("\n\n"),
  },
  externalDocs: { url: "https://example.com/docs", description: "More" },
  servers: [{ url: "https://example.com/v1", description: "The one" }, { url: "https://example.org/v1" }],
  tags: [
    { name: "things", description: "All *things*.", externalDocs: { url: "https://example.com/things" } },
    { name: "others" },
  ],
  security: [{ key: [] }, { login: ["read", "write"], basic: [] }, {}],
  paths: {
    "/things/{id}": {
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          schema: { type: "string", pattern: "^[a-z]+$", maxLength: 9 },
        },
      ],
      get: {
        operationId: "getThing",
        summary: "Get a thing",
        tags: ["things", "others"],
        description: "Says `what` it is.[^1]\n\n### Deep\n\n[^1]: A note.",
        externalDocs: { url: "https://example.com/get" },
        parameters: [
          { name: "old", in: "query", deprecated: true, schema: { type: "integer", minimum: 1, default: 5 } },
          { name: "kind", in: "query", schema: { type: "string", enum: ["a", "b"] }, example: "a" },
          { name: "X-Trace", in: "header", schema: { type: ["string", "null"] } },
          { name: "session", in: "cookie", schema: { type: "string" } },
        ],
        responses: {
          200: {
            description: "It",
            headers: { "X-Left": { description: "How many are *left*", schema: { type: "integer" } } },
            content: {
              ...json(
                { $ref: "#/components/schemas/Thing" },
                {
                  examples: {
                    first: { summary: "First", value: { kind: "Cat", name: "Tom" } },
                    second: { value: {} },
                  },
                },
              ),
              "text/csv": { schema: { type: "string" }, example: "a,b" },
            },
          },
          304: { description: "The same as [before](https://example.com):\n- one\n- two" },
          404: { description: "No such thing", content: json({ $ref: "#/components/schemas/Problem" }) },
          default: { description: "Anything else", content: json({ $ref: "#/components/schemas/Problem" }) },
        },
      },
    },
    "/things": {
      post: {
        operationId: "addThing",
        summary: "Add a thing",
        deprecated: true,
        tags: ["things"],
        "x-badges": [{ name: "Beta" }],
        requestBody: {
          required: true,
          content: {
            ...json({ $ref: "#/components/schemas/Thing" }),
            "multipart/form-data": {
              schema: { type: "object", properties: { file: { type: "string", format: "binary" } } },
            },
          },
        },
        "x-codeSamples": [
          { lang: "sh", source: "curl https://example.com" },
          { lang: "JavaScript", source: "await fetch('https://example.com'); // it" },
        ],
        responses: { 201: { description: "Added", content: json(toLevels(5)) } },
        callbacks: {
          done: {
            "{$request.query.url}": {
              post: {
                summary: "Done",
                requestBody: { content: json({ $ref: "#/components/schemas/Problem" }) },
                responses: { 204: { description: "Heard" } },
              },
            },
          },
        },
      },
    },
    "/untagged": { delete: { operationId: "drop/all things", responses: { 204: { description: "Gone" } } } },
    "/unnamed": {
      get: { responses: { 204: { description: "Read" } } },
      put: { responses: { 204: { description: "Done" } } },
    },
  },
  webhooks: {
    happened: {
      post: {
        summary: "Something happened",
        requestBody: { content: json({ $ref: "#/components/schemas/Problem" }) },
        responses: { 200: { description: "Heard" } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
        discriminator: { propertyName: "kind" },
      },
      Cat: {
        type: "object",
        required: ["kind"],
        properties: {
          kind: { type: "string" },
          name: { type: "string", pattern: "^[A-Z]", example: "Tom", description: "Its `name`." },
          old: { type: "string", deprecated: true },
          friends: { type: "array", items: { $ref: "#/components/schemas/Thing" }, maxItems: 3 },
          size: { anyOf: [{ type: "integer", format: "int64" }, { type: "string" }, { type: "null" }] },
          free: { type: "object", additionalProperties: { type: "integer" } },
        },
      },
      Dog: { type: "object", properties: { kind: { type: "string", const: "Dog" }, deep: toLevels(4) } },
      Problem: { type: "object", properties: { code: { type: "string" }, detail: { type: "string" } } },
    },
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key", description: "A *key*." },
      basic: { type: "http", scheme: "basic" },
      login: {
        type: "oauth2",
        description: "Log in.",
        flows: {
          authorizationCode: {
            authorizationUrl: "https://example.com/authorize",
            tokenUrl: "https://example.com/token",
            scopes: { read: "To read", write: "To write" },
          },
        },
      },
    },
  },
};

/** As many operations as are too many to be rendered at once, besides those of {@link EVERYTHING}. */
export const LARGE = {
  ...EVERYTHING,
  info: { ...EVERYTHING.info, title: "Large" },
  tags: [
    ...EVERYTHING.tags,
    { name: "many", "x-displayName": "Very many", description: "There are *many*.\n\n# How many" },
  ],
  paths: {
    ...EVERYTHING.paths,
    ...Object.fromEntries(
      Array.from({ length: 190 }, (_, index) => [
        `/many/${index}`,
        {
          get: {
            operationId: `many${index}`,
            summary: `Number ${index}`,
            tags: ["many"],
            ...(index === 7 && { deprecated: true }),
            responses: Object.fromEntries(
              [200, 400, 404, 409].map((status) => [
                status,
                { description: "It", content: json({ $ref: "#/components/schemas/Problem" }) },
              ]),
            ),
          },
        },
      ]),
    ),
  },
};

/** Text that tries to leave whatever it is put into. */
const HOSTILE = `"'></title></script><script>globalThis.broken = true</script>\u2028\u2029\\\n&amp;<!--\u{E000}\u{E001}`;

/** Markdown that tries to run something, and to reach another host. */
const HOSTILE_TEXT = [
  HOSTILE,
  "<script>globalThis.broken = 1</script></script><script src='https://a.example/a.js'></script>",
  "<img src='https://a.example/a.png' onerror='globalThis.broken = 2' style='background: url(https://a.example/b.png)'>",
  "![](https://a.example/c.png) [link](javascript:globalThis.broken=3) [data](data:text/html,a) <javascript:alert(1)>",
  "<iframe src='https://a.example'></iframe><style>@import 'https://a.example/a.css';</style><base href='https://a.example'>",
  "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</button></form><a href='JaVaScRiPt:x'>y</a>",
  "<svg><a xlink:href='javascript:x'>z</a></svg><math href='javascript:x'></math>",
  "<main id='content'><div id='menu' class='menu-button' data-address='javascript:x' data-sunset='1'>",
].join("\n\n");

const HOSTILE_SCHEMA = {
  title: HOSTILE,
  description: HOSTILE_TEXT,
  type: ["object", "string"],
  required: [HOSTILE],
  enum: [HOSTILE],
  pattern: HOSTILE,
  format: HOSTILE,
  default: HOSTILE,
  "x-enumDescriptions": { [HOSTILE]: HOSTILE },
  properties: { [HOSTILE]: { type: "string", contentMediaType: HOSTILE, example: HOSTILE } },
};

/** Every text of it is hostile. */
export const HOSTILE_CONTRACT = {
  openapi: "3.1.0",
  info: {
    title: HOSTILE,
    version: HOSTILE,
    summary: HOSTILE,
    description: HOSTILE_TEXT,
    contact: { name: HOSTILE, url: "javascript:alert(1)" },
    license: { name: HOSTILE, url: `https://a.example/${HOSTILE}` },
    termsOfService: "data:text/html,a",
  },
  externalDocs: { url: "javascript:alert(1)", description: HOSTILE },
  servers: [{ url: `{a}${HOSTILE}`, description: HOSTILE_TEXT, variables: { a: { default: HOSTILE } } }],
  tags: [{ name: HOSTILE, description: HOSTILE_TEXT }],
  "x-tagGroups": [{ name: HOSTILE, tags: [HOSTILE] }],
  security: [{ [HOSTILE]: [HOSTILE] }],
  paths: {
    [`/${HOSTILE}/{${HOSTILE}}`]: {
      post: {
        operationId: HOSTILE,
        summary: HOSTILE,
        description: HOSTILE_TEXT,
        tags: [HOSTILE],
        "x-replaced-by": HOSTILE,
        "x-stability-level": HOSTILE,
        "x-codeSamples": [{ lang: HOSTILE, label: HOSTILE, source: HOSTILE }],
        parameters: [
          { name: HOSTILE, in: "path", required: true, description: HOSTILE_TEXT, schema: HOSTILE_SCHEMA },
          { name: HOSTILE, in: "query", example: HOSTILE, schema: HOSTILE_SCHEMA },
        ],
        requestBody: { description: HOSTILE_TEXT, content: { [HOSTILE]: { schema: HOSTILE_SCHEMA } } },
        responses: {
          400: {
            description: HOSTILE_TEXT,
            headers: { [HOSTILE]: { description: HOSTILE_TEXT, schema: HOSTILE_SCHEMA } },
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/A" },
                examples: { [HOSTILE]: { summary: HOSTILE, value: { code: HOSTILE } } },
              },
            },
          },
        },
        callbacks: { [HOSTILE]: { [HOSTILE]: { post: { summary: HOSTILE, responses: {} } } } },
      },
    },
  },
  webhooks: { [HOSTILE]: { post: { description: HOSTILE_TEXT, responses: {} } } },
  components: {
    schemas: { A: HOSTILE_SCHEMA },
    securitySchemes: {
      [HOSTILE]: {
        type: "oauth2",
        description: HOSTILE_TEXT,
        flows: {
          implicit: {
            authorizationUrl: "javascript:alert(1)",
            tokenUrl: HOSTILE,
            scopes: { [HOSTILE]: HOSTILE },
          },
        },
      },
    },
  },
};

interface Growth {
  readonly tags: number;
  /** Of each tag. */
  readonly operations: number;
  readonly name?: (index: number) => string;
}

/** A contract of any size, whose names need escapes in HTML and in addresses. */
export function createGrown({ tags, operations, name = (index) => `Cats & Dogs ${index}` }: Growth) {
  const error = { description: "Bad.", content: json({ $ref: "#/components/schemas/Problem" }) };
  const entries = Array.from({ length: tags * operations }, (_, count) => {
    const [tag, index] = [Math.floor(count / operations), count % operations];
    const get = {
      operationId: `get${tag}x${index}`,
      summary: `Get ${tag}x${index}`,
      description: `As [the next](#operation/get${tag}x${(index + 1) % operations}).`,
      tags: [name(tag)],
      parameters: [{ name: "id", in: "query", schema: { type: "integer" } }],
      responses: { 200: { description: "It", content: json(toLevels(3)) }, 404: error },
    };
    return [`/${tag}/${index}`, { get }] as const;
  });
  return {
    openapi: "3.1.0",
    info: { title: "Grown", version: "1", description: `# First\n\n[A tag](<#tag/${name(0)}>)` },
    servers: [{ url: "https://example.com" }],
    paths: Object.fromEntries(entries),
    components: { schemas: { Problem: EVERYTHING.components.schemas.Problem } },
  };
}
