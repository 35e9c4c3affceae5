import { HttpError } from "./http-error.js";
import { joinProblems } from "./validation-problems.js";
import { ValueProblem } from "./value-problem.js";
import { Values } from "./values.js";

/** A problem with the name of what has it. */
export interface NamedProblem {
  readonly text: string;
  readonly isMalformed: boolean;
}

/** How each of several values is read. */
export interface ReadEach<Item> {
  /** @throws {ValueProblem} */
  readonly read: (item: Item) => unknown;
  readonly toKey: (item: Item) => string;
  /** `Query parameter "filter[age]"` for the path `age` in `filter`. */
  readonly toName: (item: Item, path: readonly string[]) => string;
}

/**
 * Reads every value, so that all problems are told at once.
 * @returns values by key, without those that are absent; the object has no prototype.
 */
export function readEach<Item>(
  items: readonly Item[],
  { read, toKey, toName }: ReadEach<Item>,
): { readonly values: Record<string, unknown>; readonly problems: readonly NamedProblem[] } {
  const values = new Values();
  const problems: NamedProblem[] = [];
  for (const item of items) {
    try {
      const value = read(item);
      if (value !== undefined) values[toKey(item)] = value;
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      const { path, message, isMalformed } = error;
      problems.push({ text: `${toName(item, path)} ${message}`, isMalformed });
    }
  }
  return { values, problems };
}

/** @throws {HttpError} with all problems, when there are some: `malformed_request` when the first one is malformed, else `code`. */
export function throwProblems(
  problems: readonly NamedProblem[],
  code: "invalid_parameter" | "invalid_body",
): void {
  const [first] = problems;
  if (first === undefined) return;
  const message = joinProblems(problems.map(({ text }) => text));
  throw HttpError.refusal(first.isMalformed ? "malformed_request" : code, { message });
}
