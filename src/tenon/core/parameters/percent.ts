import { ValueProblem } from "./value-problem.js";

/**
 * Decodes percent-escapes.
 * @throws {ValueProblem} malformed, for a bad percent-escape or one that is not UTF-8.
 */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ValueProblem("has a bad percent-escape", [], true);
  }
}
