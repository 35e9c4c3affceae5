import { toValidationError, type ValidationProblem } from "../errors/validation-problems.js";
import { ValueProblem } from "../../core/parameters/value-problem.js";
import { NullObject } from "../../core/document/null-object.js";

/** A problem of a value that cannot be read. */
export interface ReadProblem extends ValidationProblem {
  readonly isMalformed: boolean;
}

/** How each of several values is read. */
export interface ReadEach<Item> {
  /** @throws {ValueProblem} */
  readonly read: (item: Item) => unknown;
  readonly toKey: (item: Item) => string;
  /** Locates a problem: `Query parameter "filter[age]"` for the path `age` in `filter`. */
  readonly locate: (item: Item, path: readonly string[]) => Omit<ValidationProblem, "text">;
}

/**
 * Reads every value, so that all problems are reported at once.
 * @returns values by key, without those that are absent; the object has no prototype.
 */
export function readEach<Item>(
  items: readonly Item[],
  { read, toKey, locate }: ReadEach<Item>,
): { readonly values: Record<string, unknown>; readonly problems: readonly ReadProblem[] } {
  const values = new NullObject();
  const problems: ReadProblem[] = [];
  for (const item of items) {
    try {
      const value = read(item);
      if (value !== undefined) values[toKey(item)] = value;
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      const { path, message, isMalformed } = error;
      problems.push({ ...locate(item, path), text: message, isMalformed });
    }
  }
  return { values, problems };
}

/** @throws {HttpError} with all problems, when there are some: `malformed_request` when the first one is malformed. */
export function throwProblems(problems: readonly ReadProblem[]): void {
  const [first] = problems;
  if (first !== undefined)
    throw toValidationError(problems, first.isMalformed ? "malformed_request" : undefined);
}
