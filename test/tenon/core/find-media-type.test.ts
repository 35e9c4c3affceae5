import { expect, test } from "@jest/globals";
import { findMediaType } from "../../../src/tenon/core/http/media-type.js";

const DECLARED = ["*/*", "text/*", "Text/CSV; header=present", "application/*+json"].map((name) => ({
  name,
}));

test.each([
  ["the same before a range", "text/csv", "Text/CSV; header=present"],
  ["the same, whatever its parameters and case", "TEXT/csv; charset=utf-8", "Text/CSV; header=present"],
  ["the first range in document order", "text/plain", "*/*"],
])("a declared media type is %s", (_, contentType, name) => {
  expect(findMediaType(DECLARED, contentType)?.name).toBe(name);
});

test("a range covers a suffix, and nothing else", () => {
  const [, , , range] = DECLARED;
  expect(findMediaType(DECLARED.slice(3), "application/problem+json")).toBe(range);
  expect(findMediaType(DECLARED.slice(3), "application/json")).toBeUndefined();
});
