import { describe, expect, test } from "@jest/globals";
import { parseExactJson } from "../../../src/tenon/runtime/body/json.js";
import { findJsonProblem } from "../../../src/tenon/core/json/find-json-problem.js";

const parse = (text: string): unknown => parseExactJson(Buffer.from(text, "utf8"));

describe("parseExactJson", () => {
  test.each([
    ['{"a":[1,2.5,-3e2,true,false,null,"x"],"b":{"a":1}}'],
    [" \n\t[ ] "],
    ["0"],
    ["-0.5"],
    ["1.0"],
    ["100e-2"],
    ["1000.00e0"],
    ["1.5000e1"],
    ["0.1"],
    ["0e400"],
    ["9007199254740991"],
    ["-9007199254740991"],
    ['"a\\\\\\"b"'],
    ['"\\ud83d\\ude00"'],
    ['{"a":"{\\"a\\":1,","b":"]"}'],
    ['{"__proto__":1,"constructor":2}'],
    ["[".repeat(64) + "]".repeat(64)],
    [JSON.stringify("x".repeat(1_000_000) + '"\\'.repeat(1000))],
  ])("keeps %.40s", (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ["", "The body is not JSON (line 1, column 1)"],
    ["{", "The body is not JSON (line 1, column 2)"],
    ['{"a":1,\n "b":x}', "The body is not JSON (line 2, column 6)"],
    ["\u{feff}{}", "The body is not JSON (line 1, column 1)"],
    ['{"a":1,"b":2,"a":3}', "The body has a member twice (line 1, column 14)"],
    ['{"a":1,"\\u0061":3}', "The body has a member twice (line 1, column 8)"],
    ['[{"a":{"b":1,\n"b":2}}]', "The body has a member twice (line 2, column 1)"],
    ["[1e400]", "The body has a number that cannot be kept exactly (line 1, column 2)"],
    ["-1e999", "The body has a number that cannot be kept exactly (line 1, column 1)"],
    ["1.00000000000000000001", "The body has a number that cannot be kept exactly (line 1, column 1)"],
    ["4503599627370497.3", "The body has a number that cannot be kept exactly (line 1, column 1)"],
    [`1.${"0".repeat(100_000)}1`, "The body has a number that cannot be kept exactly (line 1, column 1)"],
    ["1e-400", "The body has a number that cannot be kept exactly (line 1, column 1)"],
    ['"a\\u0000b"', "The body has text with a NUL character (line 1, column 1)"],
    ['{"a\\u0000":1}', "The body has text with a NUL character (line 1, column 2)"],
    ['["\\ud800"]', "The body has text with a lone surrogate (line 1, column 2)"],
    ["[".repeat(65) + "]".repeat(65), "The body has more than 64 levels of nesting (line 1, column 65)"],
  ])("refuses %.40s", (text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "malformed_json", message }));
  });

  test("refuses bytes that are not UTF-8", () => {
    expect(() => parseExactJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow("The body is not UTF-8");
    expect(() => parseExactJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toThrow(
      "The body is not UTF-8",
    );
  });

  test("the message does not quote the body", () => {
    expect(() => parse('{"password": hunter2}')).toThrow(/^The body is not JSON \(line 1, column 14\)$/);
  });
});

describe("findJsonProblem agrees with JSON.parse on what is JSON", () => {
  const PIECES = [
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "1",
    "0",
    "-",
    ".",
    "e",
    "true",
    "null",
    " ",
    "\n",
    '"a"',
    "\\u",
    "00",
    "\t",
  ];

  test("over 60,000 texts from a seeded generator", () => {
    let seed = 7;
    const random = (n: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (seed >> 8) % n;
    };
    let valid = 0;
    for (let round = 0; round < 60_000; round += 1) {
      const text = Array.from({ length: 1 + random(7) }, () => PIECES[random(PIECES.length)]).join("");
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      const problem = findJsonProblem(text);
      if (isJson) valid += 1;
      if ((problem?.what !== "is not JSON") !== isJson)
        throw new Error(`disagree on ${JSON.stringify(text)}`);
    }
    expect(valid).toBeGreaterThan(500);
  });
});
