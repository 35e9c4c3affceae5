import { expect, test } from "@jest/globals";
import { toFileNames } from "../../../src/cli/generate/server/parts.js";

test.each([
  ["words", "Pet Store", "pet-store"],
  ["marks", "Größe: été", "grosse-ete"],
  ["another script", "動物", "u52d5u7269"],
  ["beyond the first plane", "🐕", "u1f415"],
  ["a path", "../../etc/passwd", "etc-passwd"],
  ["a device of Windows", "CON", "tag-con"],
  ["nothing", "", "tag"],
  ["nothing but signs", "/*", "tag"],
  ["too much", "a".repeat(300), "a".repeat(60)],
])("the file of a tag of %s", (_, tag, want) => {
  expect(toFileNames([tag]).get(tag)).toBe(want);
});

test("tags that would share a file are numbered in order", () => {
  const names = toFileNames(["Pets", "pets", "pets-2", "PETS"]);
  expect([...names.values()]).toEqual(["pets", "pets-2", "pets-2-2", "pets-3"]);
});
