import { describe, expect, test } from "@jest/globals";
import { listSunsets, toShownContract } from "../../../src/cli/docs/shown-contract.js";

const NOW = Date.parse("2030-12-04T23:59:59.999Z");

const cases: readonly (readonly [name: string, given: object, want: object])[] = [
  [
    "an operation tells its name and its deprecation, with a link",
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
    {
      "x-stability-level": "beta",
      "x-badges": [{ name: "mine" }],
      responses: {},
    },
    {
      "x-badges": [{ name: "mine" }, { name: "beta", color: "#5b3f8f" }],
      description: "**stability** beta",
    },
  ],
  [
    "what replaces a parameter is no operation, and no link",
    { name: "q", deprecated: true, "x-replaced-by": "search" },
    { description: "**use instead** `search`" },
  ],
  [
    "what has no description gets one",
    { name: "cursor", "x-stability-level": "experimental" },
    { description: "**stability** experimental" },
  ],
  [
    "a parameter, header or property called like an extension is left alone",
    { properties: { "x-sunset": { type: "string" }, operationId: { type: "string" } } },
    {},
  ],
  [
    "a property called like a member that holds data is looked into",
    { properties: { example: { "x-sunset": "2030-12-05" } } },
    {
      properties: {
        example: { "x-sunset": "2030-12-05", deprecated: true, description: "**removed on** 2030-12-05" },
      },
    },
  ],
  [
    "data is left alone",
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
    { examples: { one: { value: { operationId: "a" } } } },
    {},
  ],
  ["a link's operationId is left alone", { links: { next: { operationId: "getPet" } } }, {}],
  [
    "an address has its variables' defaults in their place",
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
    { webhooks: { gone: { post: { operationId: "petGone", responses: {} } } } },
    {
      webhooks: {
        gone: { post: { operationId: "petGone", responses: {}, description: "operationId `petGone`" } },
      },
    },
  ],
  [
    "values cannot become Markdown or HTML",
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
  test.each(cases)("%s", (_, given, want) => {
    expect(toShownContract(given, NOW)).toEqual({ ...given, ...want });
  });

  test("what is added to a description is no name of an operation that has none", () => {
    const [limited, text] = [
      { "429": {} },
      "What this does is so long that it is told in more than fifty characters.",
    ];
    const get = { responses: limited };
    const put = { ...get, description: text };
    const shown = toShownContract({ paths: { "/a": { get, put, post: { ...get, operationId: "a" } } } }, NOW);
    expect(shown.paths["/a"]).toMatchObject({
      get: { summary: "/a", description: "**rate limit** 429" },
      put: { summary: text.slice(0, 50), description: `**rate limit** 429\n\n${text}` },
      post: expect.not.objectContaining({ summary: expect.anything() as unknown }) as unknown,
    });
  });

  test("from its sunset on something is gone, and an operation has a badge that says so", () => {
    const old = { "x-sunset": "2030-12-05", deprecated: true };
    const given = { paths: { "/": { get: { ...old, parameters: [{ name: "q", ...old }], responses: {} } } } };
    const [sunset = 0, ...others] = listSunsets(given);
    expect([sunset, ...others]).toEqual([NOW + 1, NOW + 1]);
    expect(toShownContract(given, sunset)).toMatchObject({
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
    expect(JSON.stringify(toShownContract(given, sunset - 1))).not.toContain("x-badges");
  });

  test("the given contract stays as it is", () => {
    const given = { paths: { "/": { get: { operationId: "getRoot", description: "Root." } } } };
    const before = structuredClone(given);
    expect(toShownContract(given, NOW)).not.toEqual(before);
    expect(given).toEqual(before);
  });
});
