/**
 * As the contract's validator reads patterns: one that is only valid without the Unicode flag was meant without it. Undefined where
 * it is none at all.
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
