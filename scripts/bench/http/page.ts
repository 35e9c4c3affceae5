import type { Results } from "./results.js";
export function readResults(): Results { return { runs: {}, growth: {} }; }
export function writeResults(r: Results): void { process.stdout.write(JSON.stringify(r, null, 1) + "\n"); }
