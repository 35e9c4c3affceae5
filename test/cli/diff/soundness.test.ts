// @thorough, 80 s: compares thousands of generated schemas with ten thousand values each.
import { expect, test } from "@jest/globals";
import { checkPairs, drawPairs, drawSchemas, drawValues } from "./generative.js";
import { listChanges, toContract } from "./pair.js";

test("no value contradicts the changes of two schemas", async () => {
  const pairs = drawPairs(3000);
  const { contradictions, alarms } = await checkPairs(pairs, drawValues(10_000));
  expect(contradictions).toEqual([]);
  expect(alarms.length).toBeLessThan(pairs.length / 20);
});

test("a schema compared with itself has no change", async () => {
  for (const schema of drawSchemas(500))
    expect(await listChanges(toContract(schema), toContract(structuredClone(schema)))).toEqual([]);
});
