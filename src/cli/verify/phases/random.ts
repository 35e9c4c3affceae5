import { makeValid, varyAt } from "../drafts.js";
import type { Draft } from "../draft.js";
import { breakBody } from "../generate/broken-bodies.js";
import { withOddValues } from "../generate/odd-values.js";
import { vouch } from "../generate/vouched.js";
import { toSeed } from "../random.js";
import type { PhaseRun } from "./phase.js";

/** Whatever the contract allows, and what is known to make services fail. */
export const runValid: PhaseRun = async (operation, trial) => {
  for (const shape of operation.shapes) {
    const drafts = makeValid(operation, shape, { phase: "valid", count: trial.runs }, trial);
    for (const [index, draft] of drafts.entries()) {
      // Half of them as they came: what the contract does not vouch for may still make the service fail.
      await trial.try(index % 2 === 0 ? vouch(draft, trial.target, trial.requests) : draft);
    }
    const [first] = makeValid(operation, shape, { phase: "valid", count: 1, full: true }, trial);
    if (first === undefined) continue;
    for (const odd of withOddValues(vouch(first, trial.target, trial.requests), trial.target))
      await trial.try(odd);
  }
};

/** Whatever the contract allows, but for one thing. */
export const runInvalid: PhaseRun = async (operation, trial) => {
  for (const shape of operation.shapes) {
    const bases = makeValid(operation, shape, { phase: "invalid", count: trial.runs }, trial);
    for (const [index, base] of bases.entries()) {
      const wrong: readonly Draft[] = [...varyAt(base, trial), ...breakBody(base)].filter(
        ({ expectation }) => expectation === "refused",
      );
      const pick = toSeed(trial.seed, `${operation.id} ${index}`) >>> 0;
      const draft = wrong[pick % Math.max(1, wrong.length)];
      if (draft !== undefined) await trial.try(draft);
    }
  }
};
