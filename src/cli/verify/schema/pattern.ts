/**
 * A pattern as the validator compiles it, which is with the flag `u`: without escapes that only older expressions know. Undefined
 * for what is no expression at all, or means something else then: nothing is verified by that.
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
