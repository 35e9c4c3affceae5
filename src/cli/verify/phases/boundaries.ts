import { makeValid, varyAt } from "../drafts.js";
import { describeWrong } from "../draft.js";
import { breakBody } from "../generate/broken-bodies.js";
import { getAt } from "../generate/sites.js";
import { vouch } from "../generate/vouched.js";
import type { PhaseRun } from "./phase.js";

/** Requests that everything is tried out from: each may have made other choices where a schema has alternatives. */
const BASES = 4;
/** Where a contract has more, the random phases come by. */
const MOST = 300;

/** Every constraint of the contract, at its limit and just past it. */
export const runBoundaries: PhaseRun = async (operation, trial) => {
  const seen = new Set<string>();
  for (const shape of operation.shapes) {
    const bases = makeValid(operation, shape, { phase: "boundaries", count: BASES, full: true }, trial);
    // What a service may refuse for reasons of its own comes last: beside it, nothing else could be judged.
    const all = [...bases.map((base) => vouch(base, trial.target, trial.requests)), ...bases];
    for (const base of all) {
      const status = (await trial.try(base))?.answer.status;
      // Where the base is refused itself, that another one like it is refused says nothing.
      const isRefused = status === 400 || status === 422;
      for (const varied of [...varyAt(base, trial), ...breakBody(base)]) {
        const { wrong, expectation, value } = varied;
        if (wrong === undefined || (isRefused && expectation === "accepted")) continue;
        const isOneOfMany = expectation === "accepted" || wrong.keyword === "type";
        const tried = isOneOfMany ? JSON.stringify(getAt(value, wrong.path)) : "";
        const what = `${shape.mediaType ?? ""} ${describeWrong(wrong)} ${expectation} ${tried}`;
        if (seen.has(what) || seen.size >= MOST) continue;
        seen.add(what);
        await trial.try(varied);
      }
    }
  }
};
