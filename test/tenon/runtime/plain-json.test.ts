// @slow: compares thousands of generated texts.
import process from "node:process";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { findJsonProblem } from "../../../src/tenon/core/json/find-json-problem.js";
import { NOT_PLAIN, parsePlainJson } from "../../../src/tenon/runtime/body/json.js";

const parse = (text: string) => parsePlainJson(Buffer.from(text, "utf8"));

/** Texts with the characters that matter, most of which are no JSON. */
const text = fc.oneof(
  fc.json(),
  fc.string({
    unit: fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      ":",
      ",",
      "a",
      "e",
      "E",
      "1",
      "9",
      ".",
      "-",
      "\\",
      " ",
      "\n",
      "ü",
    ),
    maxLength: 30,
  }),
);

describe("the short way to read JSON", () => {
  test("is taken for what bodies usually are", () => {
    const body = {
      name: "Größe",
      categoryId: 3,
      tags: ["a", "b"],
      nested: { a: null, b: [true, -1.5] },
      empty: {},
    };
    expect(parse(JSON.stringify(body))).toEqual(body);
    expect(parse(JSON.stringify(body, undefined, 2))).toEqual(body);
  });

  test.each([
    ["a member twice", '{"a":1,"a":2}'],
    ["a member twice in an array", '[{"a":1},{"b":1,"b":2}]'],
    ["an escape", '{"a":"\\n"}'],
    ["an escaped name that comes twice", '{"a":1,"\\u0061":2}'],
    ["an integer that a double might not hold", "9007199254740993"],
    ["a fraction that a double might not hold", "0.99999999999999999999"],
    ["an exponent", "1e400"],
    ["an exponent after a fraction", "1.5E3"],
    ["a NUL character", '"\0"'],
    ["a byte order mark", "\ufeff1"],
    ["too deep", "[".repeat(33) + "]".repeat(33)],
    ["no end", '{"a":"b'],
    ["nothing", ""],
    ["no JSON", "{a:1}"],
  ])("is not taken for %s", (_, unusual) => {
    expect(parse(unusual)).toBe(NOT_PLAIN);
  });

  test("is not taken for what is not UTF-8", () => {
    expect(parsePlainJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe(NOT_PLAIN);
  });

  test("gives what the long way does, or nothing, for any text", () => {
    fc.assert(
      fc.property(text, (any) => {
        const value = parse(any);
        if (value === NOT_PLAIN) return;
        expect(findJsonProblem(any)).toBeUndefined();
        expect(value).toEqual(JSON.parse(any));
      }),
      // A failure prints the seed and the smallest text.
      { numRuns: 20_000, seed: Number(process.env["SEED"] ?? 1) },
    );
  });
});
