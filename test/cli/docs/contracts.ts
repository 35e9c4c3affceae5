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
        description: "Says `what` it is.",
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
          304: { description: "The same" },
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
    "/unnamed": { put: { responses: { 204: { description: "Done" } } } },
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
      Array.from({ length: 100 }, (_, index) => [
        `/many/${index}`,
        {
          get: {
            operationId: `many${index}`,
            summary: `Number ${index}`,
            tags: ["many"],
            responses: {
              200: { description: "It", content: json({ $ref: "#/components/schemas/Problem" }) },
            },
          },
        },
      ]),
    ),
  },
};
