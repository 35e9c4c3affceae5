import { describe, expect, test } from "@jest/globals";
import { getLineColLocation, parseYaml, Source } from "@redocly/openapi-core";
import { JsonPositions } from "../../../src/cli/load/json-position.js";
import { parseJson } from "../../../src/cli/load/parse-json.js";
import { joinPointer, parsePointer } from "../../../src/tenon/core/document/index.js";

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const DOCUMENT = String.raw`{
  "a" : [1, -2.5e3, 1E2, true, null, "x\"y\\", {"b\u00e9": {}} , []],
	"quote\"d": {"/~%": "\ud83d\ude00 : [ { , \\", "__proto__": {"<<": "c"}},
  "empty": {}, "last": ":"
}
`;

test("JSON is read as YAML reads it", () => {
  for (const text of [DOCUMENT, nested(90), "{}", ' \n{"a":{"a":"a"}}'])
    expect(parseJson(text)).toStrictEqual(parseYaml(text));
});

test.each([
  ["a name twice", '{"a": 1, "a": 2}'],
  ["a name twice, once escaped", '{"a": {"b": 1, "\\u0062": 2}}'],
  ["a comma at the end", '{"a": 1,}'],
  ["YAML", "openapi: 3.1.0"],
  ["two documents", "{}\n---\n{}"],
  ["a list", "[1]"],
  ["a number without end", '{"a": 1e400}'],
  ["a control character", '{"a": "\u007f"}'],
  ["too many levels", nested(101)],
])("%s is left to the parser of YAML", (_, text) => {
  expect(parseJson(text)).toBeUndefined();
});

describe("a position in JSON is that of Redocly", () => {
  const source = new Source("a.json", DOCUMENT);
  const positions = new JsonPositions(DOCUMENT);
  const pointers: string[] = [];
  const visit = (value: unknown, pointer: string): void => {
    pointers.push(pointer, joinPointer(pointer, "missing"));
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) visit(child, joinPointer(pointer, key));
  };
  visit(parseJson(DOCUMENT), "#");

  test.each(pointers)("%s", (pointer) => {
    for (const reportOnKey of [true, false]) {
      const { start } = getLineColLocation({ source, pointer, reportOnKey });
      expect(positions.find(parsePointer(pointer), reportOnKey)).toEqual(start);
    }
  });
});
