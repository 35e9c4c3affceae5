import type { Error as ErrorBody } from "../../generated/v1/server.js";
import type { Problem } from "tenon/runtime";

/** The contract's error body for a problem that the runtime found. */
export function toErrorBody({ code, message, status }: Problem): ErrorBody {
  return { code, message, status };
}
