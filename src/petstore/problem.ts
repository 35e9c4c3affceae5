import type { Error as ErrorBody } from "../../generated/v1/server.js";
import type { Problem } from "tenon/runtime";

/** Converts a problem that the runtime found to the contract's error body. */
export function toErrorBody({ code, message, status }: Problem): ErrorBody {
  return { code, message, status };
}
