import { ContractError } from "tenon/core/document/contract-error";

/**
 * Runs Redocly over a contract. What it or a rule throws becomes a problem of the file; the error is its cause.
 * @throws {ContractError} `lint-failed`.
 */
export async function guard<Result>(file: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof ContractError) throw cause;
    const message = `Redocly, or a rule or decorator of redocly.yaml, failed: ${describe(cause)}`;
    const place = { file, line: 1, column: 1, pointer: "#/" };
    throw new ContractError([{ code: "lint-failed", severity: "error", message, ...place }], { cause });
  }
}

/** An error's own words, and the line that threw it: who writes a rule looks for it. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const [, at] = /\n\s+at (.*)/.exec(cause.stack ?? "") ?? [];
  return at === undefined ? String(cause) : `${String(cause)}, at ${at}`;
}
