import { describe, expect, test } from "@jest/globals";
import { createEov } from "../../../src/tenon/runtime/validation/eov.js";
import { countReads } from "../../support/count-reads.js";

const EXPRESSION = { $ref: "contract:S0:Expression" };

const { request: validator } = createEov();
validator.add(
  {
    oneOf: [
      { type: "object", required: ["op"], properties: { op: { const: "not" }, left: EXPRESSION } },
      {
        type: "object",
        required: ["op"],
        properties: { op: { const: "and" }, left: { allOf: [EXPRESSION] }, right: EXPRESSION },
        unevaluatedProperties: false,
      },
      { type: "array", items: EXPRESSION },
      { type: "integer" },
    ],
  },
  EXPRESSION.$ref,
);
const validate = validator.compileValue(EXPRESSION);

const nest = (depth: number, inner: unknown, op = "not"): object =>
  Array.from({ length: depth }).reduce<object>((left) => ({ op, left }), inner as object);

function readsOf(value: object): number {
  const reads = countReads(value);
  validate(reads.value);
  return reads.count();
}

describe("a schema whose alternatives refer to it", () => {
  test.each([
    ["valid", 1, "not"],
    ["valid, in allOf", 1, "and"],
    ["invalid", "a", "not"],
  ])("validates each value once: %s", (_, inner, op) => {
    expect(readsOf(nest(16, inner, op))).toBeLessThan(readsOf(nest(8, inner, op)) * 8);
  });

  test("reports the innermost problem", () => {
    expect(validate({ op: "and", left: { op: "not", left: { op: "and", right: true } } })).toEqual([
      { path: ["left", "left", "right"], text: "must be an object, an array or an integer" },
    ]);
    expect(validate({ op: "and", left: 1, right: { op: "and", left: 1, x: 1 } })).toEqual([
      { path: ["right", "x"], text: "is unknown" },
    ]);
  });

  test("forgets a value when it has been validated", () => {
    const inner: Record<string, unknown> = { op: "not", left: 1 };
    const value = { op: "not", left: inner };
    expect(validate(value)).toEqual([]);
    inner["left"] = "a";
    expect(validate(value)).not.toEqual([]);
  });

  test("the same object in two places has a problem in each", () => {
    const twice = { op: "not", left: true };
    validator.add(
      { type: "object", properties: { a: EXPRESSION, b: EXPRESSION, c: { $ref: "contract:S1" } } },
      "contract:S1",
    );
    const problems = validator.compileValue({ $ref: "contract:S1" })({ a: twice, c: { b: twice } });
    expect(problems.map(({ path }) => path.join("/"))).toEqual(["a/left", "c/b/left"]);
  });
});

test("problems of many items behind references are all counted", () => {
  validator.add(
    { type: "object", properties: { inner: { $ref: "contract:S2" } }, required: ["id"] },
    "contract:S2",
  );
  const items = validator.compileValue({ type: "array", items: { $ref: "contract:S2" } });
  const problems = items(Array.from({ length: 1_000 }, () => ({})));
  expect(problems).toHaveLength(100);
  expect(problems[0]).toEqual({ path: ["0", "id"], text: "is required", more: 900 });
  expect(problems[99]).toEqual({ path: ["99", "id"], text: "is required" });
});

test("a long name is cut in problems, also of a union below it, and problems beyond the first 100 are counted", () => {
  const value = { anyOf: [{ type: "string" }, { type: "null" }] };
  const lists = validator.compileValue({ additionalProperties: { type: "array", items: value } });
  const [first, ...rest] = lists({ ["n/".repeat(500)]: Array.from({ length: 1_000 }, () => 1) });
  expect(first).toEqual({
    path: [`${"n/".repeat(32)}…`, "0"],
    text: "must be a string or null",
    more: 900,
  });
  expect(rest).toHaveLength(99);
});
