import { describe, expect, test } from "@jest/globals";
import { parseQuery } from "../../../src/tenon/runtime/query.js";
import { splitTarget } from "../../../src/tenon/runtime/target.js";

describe("parseQuery", () => {
  test.each([
    ["", {}],
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["a+b=c+d", { "a b": "c d" }],
    ["a=it's&t=10:30&c=a,b;d", { a: "it's", t: "10:30", c: "a,b;d" }],
    ["a=b=c&d", { a: "b=c", d: "" }],
    ["&&a=%26%3D%2B&", { a: "&=+" }],
    ["a=%C3%A9", { a: "é" }],
    [
      "__proto__=1&constructor=2",
      Object.fromEntries([
        ["__proto__", "1"],
        ["constructor", "2"],
      ]),
    ],
  ])("%s", (text, want) => {
    expect(Object.entries(parseQuery(text))).toEqual(Object.entries(want));
  });

  test.each([
    ["a=%zz", 'Query parameter "a" has a bad percent-escape'],
    ["a=%C0%AF", 'Query parameter "a" has a bad percent-escape'],
    ["%=1", "The query has a bad percent-escape"],
  ])("refuses %s", (text, message) => {
    expect(() => parseQuery(text)).toThrow(expect.objectContaining({ code: "malformed_request", message }));
  });
});

describe("splitTarget", () => {
  test.each([
    ["/v1/pets", "/v1/pets", ""],
    ["/v1/pets?a=1?b=2", "/v1/pets", "a=1?b=2"],
    ["http://example.com/v1/pets?x", "/v1/pets", "x"],
    ["http://example.com", "", ""],
    ["//v1/pets", "//v1/pets", ""],
    ["/a://b/c", "/a://b/c", ""],
    ["*", "*", ""],
  ])("%s", (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});
