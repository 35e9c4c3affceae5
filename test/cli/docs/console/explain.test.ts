import { describe, expect, test } from "@jest/globals";
import { explainFailure, explainStatus, type Failure } from "../../../../src/cli/docs/console/explain.js";
import { toFirstParagraph } from "../../../../src/cli/docs/texts/markdown.js";

const HERE = { protocol: "https:", origin: "https://docs.example" };
const silent = (reachable: boolean): Failure => ({ kind: "silent", reachable });

describe("the reason why there is no response", () => {
  test.each([
    [silent(false), "http://api.example/v1", HERE, "mixed content"],
    [silent(false), "http://127.0.0.1:3000/v1", HERE, "The service is not running there"],
    [silent(true), "https://api.example/v1", HERE, 'Access-Control-Allow-Origin: https://docs.example"'],
    [silent(true), "http://localhost:1", { protocol: "file:", origin: "null" }, 'has the origin "null"'],
    [silent(false), "https://docs.example/v1", HERE, "where this page came from"],
    [{ kind: "blocked" }, "https://api.example", HERE, "This page may not call https://api.example"],
    [{ kind: "late", seconds: 60 }, "https://api.example", HERE, "No response within 60 seconds"],
    [{ kind: "cancelled" }, "https://api.example", HERE, "Cancelled"],
  ] as const)("%j from %s", (failure, address, page, want) => {
    expect(explainFailure(failure, { address: new URL(address), ...page })).toContain(want);
  });
});

describe("when a request can be sent again", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");

  test.each([
    [429, "30", "It can be sent again in 30 s (Retry-After)."],
    [503, "Sat, 21 Nov 2026 12:00:05 GMT", "It can be sent again in 5 s (Retry-After)."],
    [503, "Sat, 21 Nov 2026 11:00:00 GMT", "It can be sent again now."],
    [429, "soon", undefined],
    [500, "30", undefined],
  ])("%d with %s", (status, after, want) => {
    expect(explainStatus(status, { "retry-after": after }, now)).toBe(want);
    expect(explainStatus(status, {}, now)).toBeUndefined();
  });
});

test.each([
  ["", ""],
  ["One\nline.\n\nMore.", "One line."],
  ["The **name**, as in [RFC 1](https://a.example) or `x`.", "The name, as in RFC 1 or x."],
])("the first paragraph of %j", (markdown, want) => {
  expect(toFirstParagraph(markdown)).toBe(want);
});
