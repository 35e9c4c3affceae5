import { toRegExp as compile } from "tenon/core/schema";

/** Compiles a pattern as the contract's validator does. Returns undefined for an invalid pattern. */
export function toRegExp(pattern: string): RegExp | undefined {
  try {
    return compile(pattern);
  } catch {
    return undefined;
  }
}
