// @thorough: sends 200 MB to a process of its own.
import { expect, test } from "@jest/globals";
import { measureLargeBody, MOST_GROWTH, WAYS } from "../../support/large-bodies/measure.js";

const BYTES = 200_000_000;

test.each(WAYS)("a large body takes bounded memory: %s", async (way) => {
  const { arrived, growth } = await measureLargeBody(way, BYTES);
  expect(arrived).toBeGreaterThan(BYTES * 0.99);
  expect(growth).toBeLessThan(MOST_GROWTH);
});
