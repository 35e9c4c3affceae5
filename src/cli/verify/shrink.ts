import type { Draft } from "./draft.js";
import { simplify } from "./generate/simplify.js";
import { isTextAt } from "./generate/requests.js";
import type { Judge } from "./schema/judge.js";
import type { RequestValue, TargetOperation } from "./target.js";

/** Requests that one finding may cost. */
const TRIES = 60;

export interface Shrinking {
  readonly draft: Draft;
  readonly requests: Judge;
}

/**
 * Makes a request smaller as long as it shows the same: what was valid stays valid, and what was wrong stays the one thing that is
 * wrong.
 * @param reproduces Sends one and says whether it shows the same.
 */
export async function shrink(
  { draft, requests }: Shrinking,
  reproduces: (smaller: Draft) => Promise<boolean>,
): Promise<void> {
  const isStill = createIsStill(draft, requests);
  let current = draft;
  let tries = 0;
  for (let found = true; found && tries < TRIES;) {
    found = false;
    for (const value of simplify(current.value, toKept(draft))) {
      const smaller = { ...current, value: value as RequestValue };
      if (!isStill(smaller.value)) continue;
      tries += 1;
      found = await reproduces(smaller);
      if (found) current = smaller;
      if (found || tries >= TRIES) break;
    }
  }
}

/** What must not change: as text, another value may be right to those who read it. */
function toKept({ wrong, shape, operation, raw }: Draft) {
  if (raw !== undefined) return ["body"];
  return wrong !== undefined && isTextAt(wrong.path, { shape, operation }) ? wrong.path : undefined;
}

function createIsStill(
  { shape, value: first, operation }: Draft,
  requests: Judge,
): (value: RequestValue) => boolean {
  const before = requests.find(shape.schema, first);
  return (value) => {
    if (!hasPath(value, operation)) return false;
    const after = requests.find(shape.schema, value);
    return after?.at === before?.at && after?.keyword === before?.keyword;
  };
}

/** A path needs all its parts. */
function hasPath({ path = {} }: RequestValue, { parameters }: TargetOperation): boolean {
  return parameters.every(({ in: place, name }) => place !== "path" || Object.hasOwn(path, name));
}
