import { breakBody, makePredictable, makeValid, toSeed, varyParts, withOddValues } from "../cases/index.js";
import { listShapes, type TestCase } from "../messages/index.js";
import type { RunPhase } from "../run/index.js";

/** Tests random valid requests, and values that services often fail for. */
export const runValid: RunPhase = async (operation, run) => {
  for (const shape of listShapes(operation)) {
    const cases = makeValid(operation, shape, { phase: "valid", count: run.runs }, run);
    for (const [index, testCase] of cases.entries()) {
      // The others may be refused, but must not make the service fail.
      await run.test(index % 2 === 0 ? makePredictable(testCase, run.requests) : testCase);
    }
    const [first] = makeValid(operation, shape, { phase: "valid", count: 1, full: true }, run);
    if (first === undefined) continue;
    for (const odd of withOddValues(makePredictable(first, run.requests), run.requests)) await run.test(odd);
  }
};

/** Tests random requests that violate one constraint. */
export const runInvalid: RunPhase = async (operation, run) => {
  for (const shape of listShapes(operation)) {
    const bases = makeValid(operation, shape, { phase: "invalid", count: run.runs }, run);
    for (const [index, base] of bases.entries()) {
      const wrong: readonly TestCase[] = [...varyParts(base, run), ...breakBody(base)].filter(
        ({ expectation }) => expectation === "refused",
      );
      const pick = toSeed(run.seed, `${operation.id} ${index}`) >>> 0;
      const testCase = wrong[pick % Math.max(1, wrong.length)];
      if (testCase !== undefined) await run.test(testCase);
    }
  }
};
