import type { Operation } from "tenon/core/model";
import type { Path, RequestValue, TestCase } from "../messages/index.js";
import type { Validator } from "../validator.js";
import { isTextAt } from "./sites.js";
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
  const before = requests.find(shape.schema, testCase.value);
  const isStill = (value: RequestValue) => {
    const after = requests.find(shape.schema, value);
    return hasPath(value, operation) && after?.at === before?.at && after?.keyword === before?.keyword;
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

/** Tests whether the path has all its parameters. */
function hasPath({ path = {} }: RequestValue, { parameters }: Operation): boolean {
  return parameters.every(({ in: location, name }) => location !== "path" || Object.hasOwn(path, name));
}

/**
 * Lists smaller values, each one step from a value, the greatest steps first.
 * @param keep Path of a part that stays, with what contains it.
 */
function* simplify(value: unknown, keep?: Path): Generator {
  if (keep?.length === 0) return;
  const isKept = (key: string | number) => keep?.[0] === key;
  const rest = (key: string | number) => (isKept(key) ? keep?.slice(1) : undefined);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    for (const index of items.keys()) {
      if (keep === undefined) yield items.filter((_, other) => other !== index);
    }
    for (const [index, item] of items.entries()) {
      for (const smaller of simplify(item, rest(index)))
        yield items.map((one, other) => (other === index ? smaller : one));
    }
  } else if (isNode(value)) {
    const members = Object.entries(value);
    for (const [name] of members) {
      if (!isKept(name)) yield Object.fromEntries(members.filter(([other]) => other !== name));
    }
    for (const [name, member] of members) {
      for (const smaller of simplify(member, rest(name))) {
        yield Object.fromEntries(members.map(([other, one]) => [other, other === name ? smaller : one]));
      }
    }
  } else {
    yield* smallerThan(value);
  }
}

function* smallerThan(value: unknown): Generator {
  if (typeof value === "string") {
    const characters = Array.from(value);
    const half = characters.slice(0, Math.floor(characters.length / 2)).join("");
    for (const text of ["a", half, characters.slice(1).join(""), characters.slice(0, -1).join("")]) {
      if (text !== "" && isSmaller(text, value)) yield text;
    }
  } else if (typeof value === "number") {
    for (const number of [0, 1, Math.trunc(value / 2), Math.trunc(value)]) {
      if (Math.abs(number) < Math.abs(value) && !isSame(number, value)) yield number;
    }
  }
}

/** Tests whether a text is shorter than another, or is "a" in place of another of the same length, so that steps end. */
function isSmaller(text: string, value: string): boolean {
  return text.length < value.length || (text.length === value.length && text === "a" && value !== "a");
}
