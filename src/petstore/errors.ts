import type { ErrorBody } from "../../generated/v1/server.js";
import type { Problem } from "tenon/runtime";

/** An error that the operator can fix. Its message is one line and is shown without a stack. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** Explains why the service did not start: one line for what the operator can fix, the stack of anything else, which is a bug. */
export function explain(error: unknown): string {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (error instanceof OperatorError) return message;
  if (code === "EADDRINUSE") return `${message}: set PORT to a free port, or to 0 for any`;
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${message}: set HOST and PORT`;
  return stack ?? message;
}

/** Converts a problem that the runtime found to the contract's error body. */
export function toErrorBody({ code, message, status }: Problem): ErrorBody {
  return { code, message, status };
}
