// @thorough: compares a thousand generated schemas with thousands of values each.
import process from "node:process";
import { expect, test } from "@jest/globals";
import { checkPairs, drawPairs, drawSchemas, drawValues } from "./generative.js";
import { listChanges, toContract } from "./pair.js";

/** `PAIRS=10000 npm test -- soundness` compares more. */
test("no value contradicts the changes of two schemas", async () => {
  const pairs = drawPairs(Number(process.env["PAIRS"] ?? 1000));
  const { contradictions, alarms } = await checkPairs(pairs, drawValues(3000));
  expect(contradictions).toEqual([]);
  expect(alarms.length).toBeLessThan(pairs.length / 20);
});

test("a schema compared with itself has no change", async () => {
  for (const schema of drawSchemas(200))
    expect(await listChanges(toContract(schema), toContract(structuredClone(schema)))).toEqual([]);
});
