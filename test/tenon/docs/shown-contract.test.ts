import { describe, expect, test } from "@jest/globals";
import { toShownContract } from "../../../src/tenon/docs/shown-contract.js";

const cases: readonly (readonly [name: string, given: object, want: object])[] = [
  [
    "an operation tells its name and its deprecation, with a link",
    {
      operationId: "getPet",
      "x-deprecated-since": "2026-11-21",
      "x-sunset": "2030-12-05",
      "x-replaced-by": "listPets",
      description: "Returns one animal.",
    },
    {
      description:
        "operationId `getPet` · **deprecated since** 2026-11-21 · **removed on** 2030-12-05 · " +
        "**use instead** [listPets](#operation/listPets)\n\nReturns one animal.",
    },
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
    { properties: { example: { "x-sunset": "2030-12-05", description: "**removed on** 2030-12-05" } } },
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
    "values cannot become Markdown or HTML",
    {
      operationId: "a`b",
      "x-sunset": "<b>**x**\n\n# y",
      "x-replaced-by": "](javascript:alert(1)) \ud800",
    },
    {
      description:
        "operationId a\\`b · **removed on** \\<b\\>\\*\\*x\\*\\* # y · " +
        "**use instead** [\\]\\(javascript\\:alert\\(1\\)\\) \ud800]" +
        "(#operation/%5D%28javascript%3Aalert%281%29%29%20%EF%BF%BD)",
    },
  ],
];

describe("shown contract", () => {
  test.each(cases)("%s", (_, given, want) => {
    expect(toShownContract(given)).toEqual({ ...given, ...want });
  });

  test("the given contract stays as it is", () => {
    const given = { paths: { "/": { get: { operationId: "getRoot", description: "Root." } } } };
    const before = structuredClone(given);
    expect(toShownContract(given)).not.toEqual(before);
    expect(given).toEqual(before);
  });
});
