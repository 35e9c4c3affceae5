/**
 * Compiles a pattern as the contract's validator does: without the Unicode flag where it is only valid without it.
 * @returns undefined for an invalid pattern.
 */
export function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      continue;
    }
  }
  return undefined;
}
