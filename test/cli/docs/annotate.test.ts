import { describe, expect, test } from "@jest/globals";
import { annotate } from "../../../src/cli/docs/annotate/annotate.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { annotateAt } from "./annotate-at.js";

const NOW = Date.parse("2030-12-04T23:59:59.999Z");

/** Documents with something at one place. */
const PLACES = {
  operation: (get: object) => ({ paths: { "/": { get } } }),
  parameter: (own: object) => ({ components: { parameters: { p: { in: "query", ...own } } } }),
  schema: (own: object) => ({ components: { schemas: { s: own } } }),
  document: (own: object) => own,
};

const cases: readonly (readonly [name: string, place: keyof typeof PLACES, given: object, want: object])[] = [
  [
    "an operation tells its name and its deprecation, with a link",
    "operation",
    {
      operationId: "getPet",
      "x-deprecated-since": "2026-11-21",
      "x-sunset": "2030-12-05",
      "x-replaced-by": "listPets",
      description: "Returns one animal.",
      responses: {},
    },
    {
      deprecated: true,
      description:
        "operationId `getPet` · **deprecated since** 2026-11-21 · **removed on** 2030-12-05 · " +
        "**use instead** [listPets](#operation/listPets) · [Try it](try.html#operation/getPet)\n\nReturns one animal.",
    },
  ],
  [
    "an operation that is less than stable has a badge beside its own",
    "operation",
    {
      "x-stability-level": "beta",
      "x-badges": [{ name: "mine" }],
      summary: "Root",
      responses: {},
    },
    {
      "x-badges": [{ name: "mine" }, { name: "beta", color: "#5b3f8f" }],
      description: "**stability** beta",
    },
  ],
  [
    "what replaces an operation in another contract is no link",
    "operation",
    { "x-replaced-by": "/v2/pets", summary: "Root", responses: {} },
    { deprecated: true, description: "**use instead** `/v2/pets`" },
  ],
  [
    "what replaces a parameter is no operation, and no link",
    "parameter",
    { name: "q", deprecated: true, "x-replaced-by": "search" },
    { description: "**use instead** `search`" },
  ],
  [
    "what has no description gets one",
    "parameter",
    { name: "cursor", "x-stability-level": "experimental" },
    { description: "**stability** experimental" },
  ],
  [
    "a parameter, header or property called like an extension is left alone",
    "schema",
    { properties: { "x-sunset": { type: "string" }, operationId: { type: "string" } } },
    {},
  ],
  [
    "a property called like a member that holds data is looked into",
    "schema",
    { properties: { example: { "x-sunset": "2030-12-05" } } },
    {
      properties: {
        example: { "x-sunset": "2030-12-05", deprecated: true, description: "**removed on** 2030-12-05" },
      },
    },
  ],
  [
    "data is left alone",
    "schema",
    {
      example: { operationId: "a" },
      default: { "x-sunset": "a" },
      examples: [{ operationId: "a" }],
      enum: [{ operationId: "a" }],
    },
    {},
  ],
  [
    "the value of an Example Object is left alone",
    "parameter",
    { name: "a", examples: { one: { value: { operationId: "a" } } } },
    {},
  ],
  [
    "a link's operationId is left alone",
    "document",
    { components: { responses: { r: { links: { next: { operationId: "getPet" } } } } } },
    {},
  ],
  [
    "an address has its variables' defaults in their place",
    "document",
    {
      servers: [
        { url: "{base_url}/v1", variables: { base_url: { default: "https://a.example" } } },
        { url: "{unknown}{toString}", variables: {} },
        { url: "/v1" },
      ],
    },
    {
      servers: [
        { url: "https://a.example/v1", variables: { base_url: { default: "https://a.example" } } },
        { url: "{unknown}{toString}", variables: {} },
        { url: "/v1" },
      ],
    },
  ],
  [
    "what the service sends cannot be tried",
    "document",
    { webhooks: { gone: { post: { operationId: "petGone", responses: {} } } } },
    {
      webhooks: {
        gone: { post: { operationId: "petGone", responses: {}, description: "operationId `petGone`" } },
      },
    },
  ],
  [
    "values cannot become Markdown or HTML",
    "operation",
    {
      operationId: "a`b",
      "x-sunset": "<b>**x**\n\n# y",
      "x-stability-level": "<b>",
      "x-replaced-by": "](javascript:alert(1)) \ud800",
      responses: {},
    },
    {
      deprecated: true,
      description:
        "operationId a\\`b · " +
        "**use instead** [\\]\\(javascript\\:alert\\(1\\)\\) \ud800]" +
        "(#operation/%5D%28javascript%3Aalert%281%29%29%20%EF%BF%BD) · " +
        "[Try it](try.html#operation/a%60b)",
    },
  ],
];

describe("shown contract", () => {
  test.each(cases)("%s", (_, place, given, want) => {
    const put = PLACES[place];
    expect(annotateAt(put(given), NOW)).toEqual(put({ ...given, ...want }));
  });

  test("what is added to a description is no name of an operation that has none", () => {
    const [limited, text] = [
      { "429": {} },
      "What this does is so long that it is told in more than fifty characters.",
    ];
    const get = { responses: limited };
    const put = { ...get, description: text };
    const shown = annotateAt({ paths: { "/a": { get, put, post: { ...get, operationId: "a" } } } }, NOW);
    expect(shown.paths["/a"]).toMatchObject({
      get: { summary: "/a", description: "**rate limit** 429" },
      put: { summary: text.slice(0, 50), description: `**rate limit** 429\n\n${text}` },
      post: expect.not.objectContaining({ summary: expect.anything() as unknown }) as unknown,
    });
  });

  test("from its sunset on something is gone, and an operation has a badge that says so", () => {
    const old = { "x-sunset": "2030-12-05", deprecated: true };
    const given = {
      paths: { "/": { get: { ...old, parameters: [{ name: "q", in: "query", ...old }], responses: {} } } },
    };
    const [sunset = 0, ...others] = annotate(given, buildContract(given)).sunsets;
    expect([sunset, ...others]).toEqual([NOW + 1, NOW + 1]);
    expect(annotateAt(given, sunset)).toMatchObject({
      paths: {
        "/": {
          get: {
            description: "**gone since** 2030-12-05",
            "x-badges": [{ name: "Gone", color: "#b3261e" }],
            parameters: [{ description: "**ended on** 2030-12-05" }],
          },
        },
      },
    });
    expect(JSON.stringify(annotateAt(given, sunset - 1))).not.toContain("x-badges");
  });

  test("the given contract stays as it is", () => {
    const given = { paths: { "/": { get: { operationId: "getRoot", description: "Root." } } } };
    const before = structuredClone(given);
    expect(annotateAt(given, NOW)).not.toEqual(before);
    expect(given).toEqual(before);
  });
});
