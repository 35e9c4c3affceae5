import { describe, expect, test } from "@jest/globals";
import { negotiate } from "../../../src/tenon/runtime/response/accept.js";

const JSON_TYPE = "application/json";
const CSV = "text/csv";
const V2 = "application/vnd.x.v2+json";

describe("negotiate", () => {
  test.each<[accept: string | undefined, offered: string[], want: string[]]>([
    [undefined, [JSON_TYPE, CSV], [JSON_TYPE, CSV]],
    ["", [JSON_TYPE, CSV], [JSON_TYPE, CSV]],
    ["*/*", [JSON_TYPE, CSV], [JSON_TYPE, CSV]],
    ["text/csv", [JSON_TYPE, CSV], [CSV]],
    ["TEXT/CSV", [JSON_TYPE, CSV], [CSV]],
    ["text/csv, application/json", [JSON_TYPE, CSV], [CSV, JSON_TYPE]],
    ["text/csv;q=0.5, application/json;q=0.6", [CSV, JSON_TYPE], [JSON_TYPE, CSV]],
    ["*/*, text/csv", [JSON_TYPE, CSV], [CSV, JSON_TYPE]],
    // RFC 9110, section 12.5.1: the most specific range decides, whatever the others allow.
    ["text/*;q=0.3, text/csv;q=0.7, */*;q=0.5", [JSON_TYPE, CSV, "text/html"], [CSV, JSON_TYPE, "text/html"]],
    ["*/*, application/json;q=0", [JSON_TYPE, CSV], [CSV]],
    ["text/*;q=0, */*", [CSV], []],
    ["application/*", [V2, CSV], [V2]],
    ["application/json", [V2], []],
    ["image/png", [JSON_TYPE], []],
    ["application/json;version=2", [JSON_TYPE], []],
    ["application/json;version=2", ["application/json; version=2"], ["application/json; version=2"]],
    ["application/json", ["application/json; version=2"], ["application/json; version=2"]],
    ["application/json;charset=utf-8", [JSON_TYPE], [JSON_TYPE]],
    ['application/json;note="a,b;q=0"', [JSON_TYPE, CSV], []],
    ['text/csv;note=","; q=0, application/json', [JSON_TYPE], [JSON_TYPE]],
    ["image/webp", ["image/*"], ["image/*"]],
    ["image/webp;q=0, image/png;q=0.4", ["image/*"], ["image/*"]],
    ["image/*;q=0", ["image/*"], []],
    ["text/html", ["image/*"], []],
    ["text/html", ["*/*"], ["*/*"]],
    ["application/json;q=2", [JSON_TYPE], []],
    ["application/json;q=x", [JSON_TYPE], []],
    ["nonsense", [JSON_TYPE], []],
    [", ,application/json,,", [JSON_TYPE], [JSON_TYPE]],
    ["application/json", [], []],
    // Whatever follows a quote that is not closed belongs to it.
    ['text/html;note="a, application/json', [JSON_TYPE], []],
    ['application/json, text/html;note="\\', [JSON_TYPE], [JSON_TYPE]],
  ])("%s of %j is %j", (accept, offered, want) => {
    expect(negotiate(accept, offered)).toEqual(want);
  });

  // Reading that goes back for each quote would never end.
  test.each(['"', "a/b,", '"\\', ";q=", 'a/b;c="'])("a long header of %s accepts nothing", (part) => {
    expect(negotiate(part.repeat(16_000 / part.length), [CSV])).toEqual([]);
  });
});
