import { describe, expect, test } from "@jest/globals";
import { compareTags, endsInVersion, isRelease } from "../../../src/cli/changelog/version-tags.js";

test.each([
  ["v1.2.3", true, true],
  ["1.2.3", true, true],
  ["v1.2", true, true],
  ["v1", false, false],
  ["v1.2.3-rc.1", false, true],
  ["pets@1.2.3", false, true],
  ["api/v2.0.0+build.7", false, true],
  ["nightly", false, false],
  ["v1.2.3.4", false, true],
  ["v1.2.3 or so", false, false],
])("%s names a release: %s, ends in a version: %s", (tag, release, version) => {
  expect([isRelease(tag), endsInVersion(tag)]).toEqual([release, version]);
});

describe("tags are ordered", () => {
  const ordered = [
    "v0.9",
    "v1.0.0-alpha",
    "v1.0.0-alpha.1",
    "v1.0.0-alpha.beta",
    "v1.0.0-beta.2",
    "v1.0.0-beta.11",
    "v1.0.0",
    "pets@1.0.1",
    "v1.9.0",
    "v1.10.0",
  ];

  test("by numbers, pre-releases before their release", () => {
    expect([...ordered].reverse().sort(compareTags)).toEqual(ordered);
  });

  test("equal where only the text before the version differs", () => {
    expect(compareTags("v1.0", "pets@1.0.0")).toBe(0);
  });
});
