import { describe, expect, test } from "@jest/globals";
import { annotateAt } from "./annotate-at.js";

const SCHEMES = { securitySchemes: { key: { type: "http", scheme: "bearer" } } };

/** The first line of an operation's description. */
function tell(operation: object, root: object = {}): unknown {
  const contract = { ...root, paths: { "/": { get: { responses: {}, ...operation } } } };
  return (annotateAt(contract, 0).paths["/"].get as { description?: unknown }).description;
}

describe("notes of an operation", () => {
  test.each([
    ["nothing where the contract has no keys", { security: [] }, {}, undefined],
    [
      "nothing where a key is needed, which Redoc tells",
      {},
      { components: SCHEMES, security: [{ key: [] }] },
      undefined,
    ],
    ["that none is", { security: [] }, { components: SCHEMES, security: [{ key: [] }] }, "**key** none"],
    ["that none is, because nobody asks for one", {}, { components: SCHEMES }, "**key** none"],
    ["that it can be left out", { security: [{ key: [] }, {}] }, { components: SCHEMES }, "**key** optional"],
    ["that calls are limited", { responses: { "429": {} } }, {}, "**rate limit** 429"],
    [
      "and by which headers",
      {
        responses: {
          "200": { headers: { "X-RateLimit-Limit": {}, Other: {} } },
          "429": { $ref: "#/components/responses/L" },
        },
      },
      { components: { responses: { L: { headers: { RateLimit: {}, "X-RateLimit-Limit": {} } } } } },
      "**rate limit** 429, reported by `X-RateLimit-Limit`, `RateLimit`",
    ],
    [
      "that it can be sent again",
      { parameters: [{ $ref: "#/components/parameters/I" }] },
      { components: { parameters: { I: { name: "idempotency-key", in: "header" } } } },
      "**can be repeated** with `idempotency-key`",
    ],
    [
      "that it can be sent again, by a parameter behind two references",
      { parameters: [{ $ref: "#/components/parameters/I" }] },
      {
        components: {
          parameters: {
            I: { $ref: "#/components/parameters/J" },
            J: { name: "Idempotency-Key", in: "header" },
          },
        },
      },
      "**can be repeated** with `Idempotency-Key`",
    ],
  ])("tell %s", (_, operation, root, want) => {
    expect(tell(operation, root)).toBe(want);
  });
});

test("a path item's Idempotency-Key is that of its operations", () => {
  const parameters = [{ name: "Idempotency-Key", in: "header" }];
  const shown = annotateAt({ paths: { "/": { parameters, post: { responses: {} } } } }, 0);
  expect(shown.paths["/"].post).toMatchObject({
    description: "**can be repeated** with `Idempotency-Key`",
  });
});

test("what a service sends itself has no such facts", () => {
  const post = { responses: { "429": {} } };
  const root = { components: SCHEMES, webhooks: { happened: { post } } };
  expect(annotateAt(root, 0)).toEqual(root);
  const callbacks = { done: { "{$request.body#/url}": { post } } };
  const shown = annotateAt({ paths: { "/": { get: { responses: {}, callbacks } } } }, 0);
  expect(shown.paths["/"].get.callbacks).toEqual(callbacks);
});

interface Shown {
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** What is shown of a response of 400, and of the same one of 200. */
function describeResponse(
  mediaType: object,
  { type = "application/json", components = {}, description = "Bad." } = {},
) {
  const response = { description, content: { [type]: mediaType } };
  const contract = {
    components,
    paths: { "/": { get: { responses: { "400": response, "200": response } } } },
  };
  const shown = annotateAt(contract, 0).paths["/"].get as Shown;
  expect(shown.responses["200"]?.description).toBe(description);
  return shown.responses["400"]?.description;
}

describe("codes of errors", () => {
  const codes = (schema: object) => ({ schema: { properties: { code: schema } } });

  test.each([
    ["an example", { example: { code: "bad" } }, "Bad. · `bad`"],
    ["a code within an error", { example: { error: { code: 1201 } } }, "Bad. · `1201`"],
    ["a constant", codes({ const: "bad" }), "Bad. · `bad`"],
    [
      "named examples, with what they mean",
      { examples: { a: { summary: "<b>", value: { code: "a" } }, b: { $ref: "#/components/examples/B" } } },
      "Bad.\n\n- `a`: \\<b\\>\n- `b`: Two.",
    ],
    ["a list", codes({ enum: ["a", "b"] }), "Bad.\n\n- `a`\n- `b`"],
    [
      "a list that is described",
      codes({ enum: ["a", "b"], "x-enumDescriptions": { a: "One.", b: "Two." } }),
      "Bad.\n\n- `a`: One.\n- `b`: Two.",
    ],
    ["a composed schema", { schema: { $ref: "#/components/schemas/E" } }, "Bad. · `composed`"],
    [
      "an example before the list of all codes",
      { ...codes({ enum: ["a", "b"] }), example: { code: "b" } },
      "Bad. · `b`",
    ],
    ["nothing of a long list", codes({ enum: Array.from({ length: 9 }, (_, index) => `c${index}`) }), "Bad."],
    ["nothing of other examples", { example: [1], examples: { a: { value: null } } }, "Bad."],
  ])("come from %s", (_, mediaType, want) => {
    const components = {
      examples: { B: { description: "Two.", value: { code: "b" } } },
      schemas: {
        E: {
          allOf: [{ type: "object" }, { $ref: "#/components/schemas/F" }, { $ref: "#/components/schemas/E" }],
        },
        F: { properties: { code: { const: "composed" } } },
      },
    };
    expect(describeResponse(mediaType, { components })).toBe(want);
  });

  test("are told where a response is declared, once, if it is an error to anybody", () => {
    const content = { "application/json": { example: { code: "bad" } } };
    const responses = { Bad: { description: "Bad.", content }, Good: { description: "Good.", content } };
    const own = {
      default: { $ref: "#/components/responses/Bad" },
      "200": { $ref: "#/components/responses/Good" },
    };
    const contract = { components: { responses }, paths: { "/": { get: { responses: own } } } };
    const shown = annotateAt(contract, 0);
    expect(shown.paths["/"].get.responses).toEqual(own);
    expect(shown.components.responses.Bad.description).toBe("Bad. · `bad`");
    expect(shown.components.responses.Good.description).toBe("Good.");
  });

  test("are the types of problem details", () => {
    const example = { type: "https://a.example/bad" };
    const type = "application/problem+json";
    expect(describeResponse({ example }, { type })).toBe("Bad. · `https://a.example/bad`");
    expect(describeResponse({ example })).toBe("Bad.");
  });

  test("stand at the end of the first paragraph, unless the author names them", () => {
    const example = { code: "bad" };
    expect(describeResponse({ example }, { description: "One.\n\nTwo." })).toBe("One. · `bad`\n\nTwo.");
    expect(describeResponse({ example }, { description: "`bad` is it." })).toBe("`bad` is it.");
  });
});
