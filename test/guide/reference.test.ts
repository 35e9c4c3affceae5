import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { createReference, REFERENCE } from "../../scripts/reference.js";

test("the reference is that of the sources: `npm run reference` writes it", async () => {
  expect(readFileSync(REFERENCE, "utf8")).toBe(await createReference());
});
