/** Test cases: requests that are valid, at a limit of the contract, or past it. */
export { freshen, isPredictable, makePredictable } from "./predictable.js";
export { shrink } from "./shrink.js";
export { getAt, replaceAt } from "./sites.js";
export { type CaseContext, makeValid, toSeed, withKnownPath, withoutOptional } from "./valid-cases.js";
export { breakBody, varyParts, withOddValues } from "./varied-cases.js";
