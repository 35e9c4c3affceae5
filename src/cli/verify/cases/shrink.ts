import type { Operation } from "tenon/core/model";
import type { RequestValue, TestCase } from "../messages/index.js";
import type { Validator } from "../validation/index.js";
import { isTextAt } from "./make-requests.js";
import { simplify } from "./simplify.js";

/** Maximum number of requests to shrink one test case. */
const TRIES = 60;

/**
 * Makes a request smaller as long as it reproduces a finding: a valid request stays valid, an invalid one violates the same
 * constraint.
 * @param reproduces Sends a smaller request and returns whether it leads to the same finding.
 */
export async function shrink(
  testCase: TestCase,
  requests: Validator,
  reproduces: (smaller: TestCase) => Promise<boolean>,
): Promise<void> {
  const isStill = createIsStill(testCase, requests);
  let current = testCase;
  let tries = 0;
  for (let found = true; found && tries < TRIES;) {
    found = false;
    for (const value of simplify(current.value, toKept(testCase))) {
      const smaller = { ...current, value: value as RequestValue };
      if (!isStill(smaller.value)) continue;
      tries += 1;
      found = await reproduces(smaller);
      if (found) current = smaller;
      if (found || tries >= TRIES) break;
    }
  }
}

/** The path of the part that must not change: another text may be a valid value to a parser. */
function toKept({ constraint, shape, operation, raw }: TestCase) {
  if (raw !== undefined) return ["body"];
  return constraint && isTextAt(constraint.path, { shape, operation }) ? constraint.path : undefined;
}

function createIsStill(
  { shape, value: first, operation }: TestCase,
  requests: Validator,
): (value: RequestValue) => boolean {
  const before = requests.find(shape.schema, first);
  return (value) => {
    if (!hasPath(value, operation)) return false;
    const after = requests.find(shape.schema, value);
    return after?.at === before?.at && after?.keyword === before?.keyword;
  };
}

/** Tests whether the path has all its parameters. */
function hasPath({ path = {} }: RequestValue, { parameters }: Operation): boolean {
  return parameters.every(({ in: location, name }) => location !== "path" || Object.hasOwn(path, name));
}
