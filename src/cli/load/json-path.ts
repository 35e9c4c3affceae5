import { exec } from "jsonpath-rfc9535";
import parse from "jsonpath-rfc9535/parser";
import { findBacktracking } from "../patterns/index.js";

/** Steps through a document that one JSONPath may take. Each `..` multiplies them. */
const MAX_STEPS = 5_000_000;

/** Steps that all JSONPaths of a document may take. */
const MAX_ALL_STEPS = 20_000_000;

/** Number of characters of a text that are one more step: a filter may read the same text for each of its values. */
const STEP_LENGTH = 64;

/** A JSONPath that takes too many steps. */
export class StepsError extends Error {
  override readonly name = "StepsError";
}

/** Runs JSONPaths on a document, within a number of steps. */
export class JsonPaths {
  #left = MAX_ALL_STEPS;

  /**
   * Calls a function with the path of each value that a JSONPath selects.
   * @throws {StepsError}
   * @throws {Error} for a JSONPath that is invalid, and for a pattern in it that may take more than linear time.
   */
  run(root: unknown, text: string, onFound: (path: readonly (string | number)[]) => void): void {
    assertLinear(parse(text));
    const count = this.#createCounter();
    exec(count(root) as Parameters<typeof exec>[0], text, (_, path) => {
      onFound(path);
    });
  }

  #createCounter(): <Value>(value: Value) => Value {
    const limit = this.#left - MAX_STEPS;
    const step = (cost: number): void => {
      this.#left -= cost;
      if (this.#left < Math.max(0, limit)) throw new StepsError("The JSONPath takes too many steps");
    };
    const known = new WeakMap<object, object>();
    const count = <Value>(value: Value): Value => {
      if (typeof value === "string") step(value.length / STEP_LENGTH);
      if (typeof value !== "object" || value === null) return value;
      const counted =
        known.get(value) ??
        new Proxy(value, {
          get: (owner, key) => {
            step(1);
            return count(Reflect.get(owner, key) as unknown);
          },
        });
      known.set(value, counted);
      return counted as typeof value;
    };
    return count;
  }
}

/** Checks the patterns of `match` and `search`, the only functions with patterns (RFC 9535, section 2.4). */
function assertLinear(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const { type, name, arguments: given } = node as Record<string, unknown>;
  if (type === "FunctionExpr" && (name === "match" || name === "search")) {
    const [, pattern] = given as readonly { readonly type: string; readonly value?: unknown }[];
    if (pattern?.type !== "Literal" || typeof pattern.value !== "string")
      throw new Error(`the pattern of ${name} must be a text`);
    const reason = findBacktracking(name === "match" ? `^(?:${pattern.value})$` : pattern.value, "u");
    if (reason !== undefined)
      throw new Error(`the pattern ${JSON.stringify(pattern.value)} of ${name} ${reason}`);
  }
  for (const child of Object.values(node)) assertLinear(child);
}
