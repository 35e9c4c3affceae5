import { describe, expect, test } from "@jest/globals";
import { formatJson, JsonMistake } from "../../../../src/cli/docs/console/json-text.js";

describe("format JSON", () => {
  test.each([
    ["{}", "{}"],
    [" [ ] ", "[]"],
    [
      '{"a":[1,{"b":null}],"c":"\\u00e9\\n"}',
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": "\\u00e9\\n"\n}',
    ],
    ["[9007199254740993, -0.0, 1E400]", "[\n  9007199254740993,\n  -0.0,\n  1E400\n]"],
  ])("%s", (text, want) => {
    expect(formatJson(text).formatted).toBe(want);
  });

  test("each value's line is known by its pointer", () => {
    const { findLine } = formatJson('{"a/b":{"~":[1,2]},"":3}');
    const pointers = ["", "/a~1b", "/a~1b/~0", "/a~1b/~0/0", "/a~1b/~0/1", "/", "/a~1b/2", "/b/c"];
    expect(pointers.map(findLine)).toEqual([1, 2, 3, 4, 5, 8, undefined, undefined]);
  });

  test("long names and deep values of a hostile service take time and memory in proportion to their text", () => {
    const zeros = Array(9_000).fill("0").join(",");
    const name = "n".repeat(20_000);
    expect(formatJson(`{"${name}":[${zeros}]}`).findLine(`/${name}/8999`)).toBe(9_002);
    const text = "[".repeat(490) + zeros + "]".repeat(490);
    expect(formatJson(text).formatted.length).toBeLessThan(60 * text.length);
  });

  test.each([
    ["", "Line 1, column 1: A value was expected, and not the end"],
    ["[1,]", 'Line 1, column 4: A value was expected, and not "]"'],
    ["{\n 'a': 1}", 'Line 2, column 2: A name in double quotes was expected, and not "\'"'],
    ["[1 2]", 'Line 1, column 4: "," or "]" was expected, and not "2"'],
    ["[01]", 'Line 1, column 2: A value was expected, and not "0"'],
    ["{} x", 'Line 1, column 4: The end was expected, and not "x"'],
    ['["\t"]', 'Line 1, column 2: A value was expected, and not "\\""'],
    ["[NaN]", 'Line 1, column 2: A value was expected, and not "N"'],
  ])("says where %j goes wrong", (text, message) => {
    expect(() => formatJson(text)).toThrow(JsonMistake);
    expect(() => formatJson(text)).toThrow(message);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  test("a value without an end is refused, and not followed", () => {
    expect(() => formatJson("[".repeat(100_000))).toThrow("A value that is less deep was expected");
  });
});
