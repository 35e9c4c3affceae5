import { breakBody, getAt, makePredictable, makeValid, varyParts } from "../cases/index.js";
import { describeConstraint, listShapes } from "../messages/index.js";
import type { RunPhase } from "../run/index.js";

/** Requests that are varied. Each may take other alternatives of a schema. */
const BASES = 4;
/** Variants of an operation; the random phases test more. */
const MOST = 300;

/** Tests every constraint of the contract, at its limit and just past it. */
export const runBoundaries: RunPhase = async (operation, run) => {
  const seen = new Set<string>();
  for (const shape of listShapes(operation)) {
    const bases = makeValid(operation, shape, { phase: "boundaries", count: BASES, full: true }, run);
    // Requests that the service may refuse for its own reasons are last: a refusal would hide everything else.
    const all = [...bases.map((base) => makePredictable(base, run.requests)), ...bases];
    for (const base of all) {
      const status = (await run.test(base))?.response.status;
      // If the base is refused, the refusal of a variant proves nothing.
      const isRefused = status === 400 || status === 422;
      for (const varied of [...varyParts(base, run), ...breakBody(base)]) {
        const { constraint, expectation, value } = varied;
        if (constraint === undefined || (isRefused && expectation === "accepted")) continue;
        const isOneOfMany = expectation === "accepted" || constraint.keyword === "type";
        const part = isOneOfMany ? JSON.stringify(getAt(value, constraint.path)) : "";
        const key = `${shape.mediaType?.name ?? ""} ${describeConstraint(constraint)} ${expectation} ${part}`;
        if (seen.has(key) || seen.size >= MOST) continue;
        seen.add(key);
        await run.test(varied);
      }
    }
  }
};
