import { describe, expect, test } from "@jest/globals";
import { decodeQueryText, parseCookies } from "../../../src/tenon/core/parameters/pairs.js";
import { parseQuery } from "../../../src/tenon/runtime/parameters/read-parameters.js";
import { send } from "../../support/http.js";
import { DOCUMENT, startThings, type ThingsOptions } from "./service.js";
import { splitTarget } from "../../../src/tenon/runtime/routing/match.js";

describe("parseQuery", () => {
  test.each<[string, Record<string, readonly string[]>]>([
    ["", {}],
    ["a=1&b=2", { a: ["1"], b: ["2"] }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["a+b=c+d", { "a b": ["c+d"] }],
    ["a%5Bb%5D=1&a[b]=2", { "a[b]": ["1", "2"] }],
    ["a=it's&t=10:30&c=a,b;d", { a: ["it's"], t: ["10:30"], c: ["a,b;d"] }],
    ["a=b=c&d", { a: ["b=c"], d: [""] }],
    ["&&a=%26%3D%2B&", { a: ["%26%3D%2B"] }],
    ["__proto__=1&constructor=2", { ["__proto__"]: ["1"], constructor: ["2"] }],
  ])("%s", (text, want) => {
    expect([...parseQuery(text)]).toEqual(Object.entries(want));
  });

  test("refuses a name that cannot be decoded", () => {
    const message = "The query has a bad percent-escape";
    expect(() => parseQuery("%=1")).toThrow(expect.objectContaining({ code: "malformed_request", message }));
  });
});

describe("decodeQueryText", () => {
  test.each([
    ["a+b", "a b"],
    ["a%2Bb%26%3D", "a+b&="],
    ["%C3%A9", "é"],
  ])("%s is %s", (text, want) => {
    expect(decodeQueryText(text)).toBe(want);
  });

  test.each(["%zz", "%C0%AF", "%"])("refuses %s", (text) => {
    expect(() => decodeQueryText(text)).toThrow(expect.objectContaining({ isMalformed: true }));
  });
});

describe("parseCookies", () => {
  test.each<[string | undefined, Record<string, readonly string[]>]>([
    [undefined, {}],
    ["a=1; b=2;c=3", { a: ["1"], b: ["2"], c: ["3"] }],
    ['a="1"; b=x=y; ; flag', { a: ["1"], b: ["x=y"] }],
    ["a=1; a=%2C", { a: ["1", "%2C"] }],
    ["__proto__=1", { ["__proto__"]: ["1"] }],
  ])("%s", (header, want) => {
    expect([...parseCookies(header)]).toEqual(Object.entries(want));
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

describe("undeclaredQuery", () => {
  const QUERY = "/v1/anyone?zz=1&__proto__=2";
  const allowing = (value: boolean): object => {
    const document = structuredClone(DOCUMENT);
    Object.assign(document.paths["/anyone"].get, { "x-eov-allow-unknown-query-parameters": value });
    return document;
  };
  const call = async (given: ThingsOptions, path = QUERY) => {
    const things = await startThings({
      ...given,
      handlers: { anyone: ({ query }, reply) => reply[200]?.({ auth: Object.keys(query) }) },
    });
    const { status, json } = await send(things.port, path, { headers: { authorization: "Bearer good" } });
    await things.stop();
    return status === 200 ? json : status;
  };
  const none = { auth: [] };

  test("undeclared parameters are refused by default, and left out with `ignore`", async () => {
    expect(await call({})).toBe(400);
    expect(await call({ options: { undeclaredQuery: "ignore" } })).toEqual(none);
  });

  test("the operation takes precedence", async () => {
    expect(await call({ document: allowing(true) })).toEqual(none);
    expect(await call({ document: allowing(false), options: { undeclaredQuery: "ignore" } })).toBe(400);
  });

  test("declared parameters are still validated", async () => {
    const options = { undeclaredQuery: "ignore" };
    expect(await call({ options }, "/v1/things?zz=1&limit=2")).toMatchObject({ query: { limit: 2 } });
    expect(await call({ options }, "/v1/things?zz=1&limit=0x2")).toBe(400);
  });
});
