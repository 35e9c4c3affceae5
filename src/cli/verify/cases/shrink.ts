import type { Path, RequestValue, TestCase } from "../messages/index.js";
import type { Validator } from "../validator.js";
import { getAt, isTextAt, replaceAt, toSent } from "./sites.js";
import { isNode } from "tenon/core/document";
import { isSame } from "tenon/core/schema";

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
  const { shape, operation } = testCase;
  const find = (value: RequestValue) => requests.find(shape.schema, toSent(value, testCase));
  const before = find(testCase.value);
  // The path keeps all its parameters.
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
  const isStill = (value: RequestValue) => {
    const after = find(value);
    const hasPath = inPath.every(({ name }) => Object.hasOwn(value.path ?? {}, name));
    return hasPath && after?.at === before?.at && after?.keyword === before?.keyword;
  };
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

/**
 * Lists smaller values, each one step from a value, the greatest steps first.
 * @param keep Path of a part that stays, with what contains it.
 */
function* simplify(value: unknown, keep?: Path): Generator {
  if (keep?.length === 0) return;
  const isList = Array.isArray(value);
  if (!isList && !isNode(value)) {
    yield* smallerThan(value);
    return;
  }
  const keys: Path = isList ? [...value.keys()] : Object.keys(value);
  for (const key of keys) {
    if (isList ? keep === undefined : keep?.[0] !== key) yield replaceAt(value, [key], undefined);
  }
  for (const key of keys) {
    const inside = keep?.[0] === key ? keep.slice(1) : undefined;
    for (const smaller of simplify(getAt(value, [key]), inside))
      yield isList
        ? value.map((item: unknown, index) => (index === key ? smaller : item))
        : { ...value, [key]: smaller };
  }
}

function* smallerThan(value: unknown): Generator {
  if (typeof value === "string") {
    const characters = Array.from(value);
    const half = characters.slice(0, Math.floor(characters.length / 2)).join("");
    for (const text of ["a", half, characters.slice(1).join(""), characters.slice(0, -1).join("")]) {
      // Steps end: a text becomes shorter, or becomes "a".
      if (text !== "" && text !== value && text.length <= value.length) yield text;
    }
  } else if (typeof value === "number") {
    for (const number of [0, 1, Math.trunc(value / 2), Math.trunc(value)]) {
      if (Math.abs(number) < Math.abs(value) && !isSame(number, value)) yield number;
    }
  }
}
