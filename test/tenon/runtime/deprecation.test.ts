import { describe, expect, test } from "@jest/globals";
import { createDeprecation } from "../../../src/tenon/runtime/routing/deprecation.js";

const DEPRECATED = { stability: "stable", deprecated: true } as const;
const toSuccessor = (path: string) => ({ id: "next", method: "get", path }) as const;

describe("successor of a deprecated operation", () => {
  test.each([
    ["a path", "/pets", { Link: '</v1/pets>; rel="successor-version"' }],
    [
      "a path with characters that no URI has",
      '/ä "<pets>"',
      { Link: '</v1/%C3%A4%20%22%3Cpets%3E%22>; rel="successor-version"' },
    ],
    ["a path that is encoded already", "/a%20b", { Link: '</v1/a%20b>; rel="successor-version"' }],
    [
      "a path with parameters is a template, and no URI (RFC 9652)",
      "/animals/{animalId}:show",
      { "Link-Template": '"/v1/animals/{animalId}:show"; rel="successor-version"' },
    ],
    [
      "a parameter whose name is none of RFC 6570",
      "/animals/{animal-id}",
      { "Link-Template": '"/v1/animals/{animal%2Did}"; rel="successor-version"' },
    ],
  ])("%s", (_, successor, headers) => {
    expect(
      createDeprecation({ lifecycle: DEPRECATED, successor: toSuccessor(successor) }, "/v1")?.headers,
    ).toEqual(headers);
  });

  test.each([
    [
      "https://api.example.com/v2/pets?a=b",
      { Link: '<https://api.example.com/v2/pets?a=b>; rel="successor-version"' },
    ],
    ["../v2/pets", { Link: '<../v2/pets>; rel="successor-version"' }],
    ["/v2/pets/{petId}", { "Link-Template": '"/v2/pets/{petId}"; rel="successor-version"' }],
    ["/v2/{", { Link: '</v2/%7B>; rel="successor-version"' }],
    ["an-operation-id", {}],
    ['/v2/pets>; rel="next"', {}],
    ["javascript:alert(1)", {}],
  ])("a URL is sent as it is: %s", (replacedBy, headers) => {
    expect(createDeprecation({ lifecycle: { ...DEPRECATED, replacedBy } }, "/v1")?.headers).toEqual(headers);
  });

  test("nothing, where nothing is said", () => {
    expect(createDeprecation({ lifecycle: DEPRECATED }, "/v1")?.headers).toEqual({});
    expect(createDeprecation({}, "/v1")).toBeUndefined();
  });
});

test("the message of a 410 has the sunset date, with the time unless it is midnight", () => {
  const sunset = Date.parse("2030-12-05T10:30:00.000Z");
  const lifecycle = { ...DEPRECATED, sunset };
  const deprecation = createDeprecation({ lifecycle, successor: toSuccessor("/animals/{id}") }, "/v1");
  expect(() => {
    deprecation?.assertNotGone(sunset - 1);
  }).not.toThrow();
  expect(() => {
    deprecation?.assertNotGone(sunset);
  }).toThrow("This operation was removed on 2030-12-05T10:30:00Z; use /v1/animals/{id}");
});
