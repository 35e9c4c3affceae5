import { isNode } from "tenon/core/document";
import { isSame } from "tenon/core/schema";
import { flatten } from "../../values/index.js";
import {
  breakBody,
  getAt,
  makePredictable,
  makeValid,
  toSeed,
  varyParts,
  withKnownPath,
  withOddValues,
} from "../cases/index.js";
import {
  describeConstraint,
  listShapes,
  type RequestShape,
  type RequestValue,
  type TestCase,
} from "../messages/index.js";
import type { Run, RunPhase } from "../run/run.js";

/** Tests the author's examples: each body once, without and with the examples of all parameters. */
export const runExamples: RunPhase = async (operation, run) => {
  for (const shape of listShapes(operation)) {
    const [base] = makeValid(operation, shape, { phase: "examples", count: 1 }, run);
    if (base === undefined) continue;
    for (const value of toValues(shape, base.value, run)) {
      if (run.requests.find(shape.schema, value) === undefined)
        await run.test(withKnownPath({ ...base, value }, 0, run));
    }
  }
};

/** @param base Has the values of required parts without an example. */
function toValues(
  { schema: whole }: RequestShape,
  base: RequestValue,
  { requests }: Run,
): readonly RequestValue[] {
  const { properties = {} } = flatten(whole, requests);
  const [least, most]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  let bodies: readonly unknown[] = [];
  for (const [part, schema] of Object.entries(properties)) {
    const section = flatten(schema, requests);
    if (part === "body") {
      const { examples = [] } = section;
      bodies = examples.length > 0 || base.body === undefined ? examples : [base.body];
      continue;
    }
    const given = base[part as keyof RequestValue];
    const required = section.required ?? [];
    const members = Object.entries(section.properties ?? {}).flatMap(([name, parameter]) => {
      const [example] = flatten(parameter, requests).examples ?? [];
      const made = isNode(given) ? given[name] : undefined;
      const value = example ?? (required.includes(name) ? made : undefined);
      return value === undefined ? [] : [[name, value] as const];
    });
    least[part] = Object.fromEntries(members.filter(([name]) => required.includes(name)));
    most[part] = Object.fromEntries(members);
  }
  const sections = isSame(least, most) ? [least] : [least, most];
  if (bodies.length === 0) return sections;
  return [
    ...bodies.map((body) => ({ ...least, body })),
    ...sections.slice(1).map((parts) => ({ ...parts, body: bodies[0] })),
  ];
}

/** Requests that are varied. Each may take other alternatives of a schema. */
const BASES = 4;
/** Variants of an operation; the random phases test more. */
const MOST = 300;

/** Tests every constraint of the contract, at its limit and just past it. */
export const runBoundaries: RunPhase = async (operation, run) => {
  const seen = new Set<string>();
  for (const shape of listShapes(operation)) {
    const bases = makeValid(operation, shape, { phase: "boundaries", count: BASES, full: true }, run);
    // Requests that the service may refuse for its own reasons are last: a refusal would hide everything else.
    const all = [...bases.map((base) => makePredictable(base, run.requests)), ...bases];
    for (const base of all) {
      const status = (await run.test(base))?.response.status;
      // If the base is refused, the refusal of a variant proves nothing.
      const isRefused = status === 400 || status === 422;
      for (const varied of [...varyParts(base, run), ...breakBody(base)]) {
        const { constraint, expectation, value } = varied;
        if (constraint === undefined || (isRefused && expectation === "accepted")) continue;
        const isOneOfMany = expectation === "accepted" || constraint.keyword === "type";
        const part = isOneOfMany ? JSON.stringify(getAt(value, constraint.path)) : "";
        const key = `${shape.mediaType?.name ?? ""} ${describeConstraint(constraint)} ${expectation} ${part}`;
        if (seen.has(key) || seen.size >= MOST) continue;
        seen.add(key);
        await run.test(varied);
      }
    }
  }
};

/** Tests random valid requests, and values that services often fail for. */
export const runValid: RunPhase = async (operation, run) => {
  for (const shape of listShapes(operation)) {
    const cases = makeValid(operation, shape, { phase: "valid", count: run.runs }, run);
    for (const [index, testCase] of cases.entries()) {
      // The others may be refused, but must not make the service fail.
      await run.test(index % 2 === 0 ? makePredictable(testCase, run.requests) : testCase);
    }
    const [first] = makeValid(operation, shape, { phase: "valid", count: 1, full: true }, run);
    if (first === undefined) continue;
    for (const odd of withOddValues(makePredictable(first, run.requests), run.requests)) await run.test(odd);
  }
};

/** Tests random requests that violate one constraint. */
export const runInvalid: RunPhase = async (operation, run) => {
  for (const shape of listShapes(operation)) {
    const bases = makeValid(operation, shape, { phase: "invalid", count: run.runs }, run);
    for (const [index, base] of bases.entries()) {
      const wrong: readonly TestCase[] = [...varyParts(base, run), ...breakBody(base)].filter(
        ({ expectation }) => expectation === "refused",
      );
      const pick = toSeed(run.seed, `${operation.id} ${index}`) >>> 0;
      const testCase = wrong[pick % Math.max(1, wrong.length)];
      if (testCase !== undefined) await run.test(testCase);
    }
  }
};
