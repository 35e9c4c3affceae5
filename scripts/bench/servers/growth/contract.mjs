import { readFileSync } from "node:fs";

/** The contract of so many operations, all alike. */
export const contract = JSON.parse(readFileSync(process.env.BENCH_CONTRACT, "utf8"));

/** Parameters of every operation, as {@link contract} has them. */
export const LIMIT = { minimum: 1, maximum: 100, default: 20 };
