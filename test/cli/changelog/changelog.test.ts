import { expect, test } from "@jest/globals";
import { SECTIONS, toSection } from "../../../src/cli/changelog/changelog.js";
import { CODES } from "../../../src/cli/diff/index.js";

test.each([
  ["operation-removed", "breaking", "removed"],
  ["operation-removed", "risky", "removed"],
  ["webhook-removed", "breaking", "removed"],
  ["property-removed-after-sunset", "safe", "removed"],
  ["request-parameter-removed-after-sunset", "safe", "removed"],
  ["request-parameter-removed", "breaking", "breaking"],
  ["operation-deprecated", "safe", "deprecated"],
  ["response-schema-undeprecated", "safe", "deprecated"],
  ["sunset-earlier", "breaking", "deprecated"],
  ["replacement-changed", "safe", "deprecated"],
  ["operation-added", "safe", "added"],
  ["callback-added", "safe", "added"],
  ["request-parameter-added", "safe", "safe"],
  ["response-enum-value-added", "risky", "risky"],
  ["response-enum-value-added", "breaking", "breaking"],
] as const)("%s, %s, is in the section %s", (code, level, section) => {
  expect(Object.keys(CODES).some((known) => known.endsWith(code))).toBe(true);
  expect(toSection({ code, level })).toBe(section);
});

test("every code has a section, and only safe changes are in the last one", () => {
  for (const [code, { level }] of Object.entries(CODES)) {
    const section = toSection({ code, level });
    expect(SECTIONS).toContain(section);
    expect([code, section === "safe" && level !== "safe"]).toEqual([code, false]);
  }
});
