/** Test cases: requests that are valid, at a limit of the contract, or past it. */
export { freshen, isPredictable, makePredictable } from "./predictable.js";
export { breakBody, withOddValues } from "./hostile.js";
export { type CaseContext, makeValid, varyParts, withKnownPath } from "./make-cases.js";
export { toSeed } from "./sample.js";
export { shrink } from "./shrink.js";
export { getAt } from "./sites.js";
