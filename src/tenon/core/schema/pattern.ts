/**
 * Compiles a pattern. Patterns are Unicode patterns (JSON Schema, section 6.4), and so strict about escapes; one that is only valid
 * without the flag, such as `[a-z\_]`, was meant without it.
 * @throws {SyntaxError} for an invalid pattern.
 */
export function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
