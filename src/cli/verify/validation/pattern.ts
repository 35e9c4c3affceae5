/**
 * Rewrites a pattern for the validator, which compiles it with the flag `u`: without escapes that are only valid without it.
 * @returns undefined for a pattern that is invalid, or has another meaning with the flag.
 */
export function toUnicodePattern(pattern: string): string | undefined {
  const plain = pattern.replaceAll(/\\([_'"!@%&=:;,<>~`# ])/g, "$1");
  return [pattern, plain].find(isPattern);
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
