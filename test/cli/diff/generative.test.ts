// @thorough: compares generated schemas with thousands of values.
import { expect, test } from "@jest/globals";
import { checkPairs, drawPairs, drawSchemas, drawValues } from "./generative.js";
import { listChanges, toContract } from "./pair.js";
import { toCount } from "../../support/to-count.js";

const pairs = drawPairs(toCount(1000));
const values = drawValues(3000);

test("no value contradicts the changes of two schemas", async () => {
  expect(values).toHaveLength(3000);
  const { contradictions, alarms } = await checkPairs(pairs, values);
  expect(contradictions).toEqual([]);
  // Some schemas have no value at all, which rules for single keywords do not see.
  expect(alarms.length).toBeLessThan(pairs.length / 20);
});

test("a schema compared with itself has no change", async () => {
  for (const schema of drawSchemas(200))
    expect(await listChanges(toContract(schema), toContract(structuredClone(schema)))).toEqual([]);
});

test("a planted wrong verdict is contradicted", async () => {
  const few = pairs.slice(0, 60);
  const safe = await checkPairs(few, values, (verdicts) =>
    verdicts.map(({ code }) => ({ code, level: "safe" })),
  );
  expect(safe.contradictions.length).toBeGreaterThan(40);
  const value = await checkPairs(few, values, (verdicts) =>
    verdicts.map((one) => ({
      ...one,
      ...(one.counterexample && { counterexample: { path: "", value: [[["planted"]]] } }),
    })),
  );
  expect(value.contradictions.length).toBeGreaterThan(0);
  const breaking = await checkPairs(few, values, (verdicts) => [
    ...verdicts,
    { code: "request-planted", level: "breaking" },
    { code: "response-planted", level: "breaking" },
  ]);
  expect(breaking.alarms.length).toBeGreaterThan(10);
});
