import process from "node:process";

/** How many generated cases a test takes: `CASES=10 npm run test:thorough -- NAME` takes ten times as many. */
export const toCount = (count: number): number => Math.ceil(count * Number(process.env["CASES"] ?? 1));
