// @thorough: compares thousands of values with the runtime's validator.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createValues, toNumbers, toStrings } from "../../../src/cli/values/index.js";
import { buildContract, type Contract } from "../../../src/tenon/core/model/index.js";
import type { Side } from "../../../src/tenon/core/schema/index.js";
import { toOperationContract } from "../../cli/generate/contract.js";
import { createInterpreter } from "../../../src/tenon/runtime/validation/interpreter.js";
import { COMPONENTS, createRandom, createSchema, createValue, FIXED } from "./random-schemas.js";
import { createRuntime, createValidators } from "./validators.js";
import { toCount } from "../../support/to-count.js";

const SEEDS = toCount(10);
const SIDES: readonly Side[] = ["request", "response"];

interface Comparison {
  values: number;
  valid: number;
  /** Invalid values for which both have the same texts. */
  sameTexts: number;
}

const known = new WeakMap<Contract, ReturnType<typeof createValidators>>();

/** Compares the verdicts about values, the values with their defaults, and counts equal texts. */
function compare(
  contract: Contract,
  name: string,
  values: readonly unknown[],
  counted: Comparison = { values: 0, valid: 0, sameTexts: 0 },
): Comparison {
  const validators = known.get(contract) ?? createValidators(contract);
  known.set(contract, validators);
  const named = contract.schemas.find((schema) => schema.name === name);
  for (const side of SIDES) {
    const validate = createRuntime(contract, side)(named?.reference ?? "");
    const interpret = createRuntime(contract, side, createInterpreter())(named?.reference ?? "");
    const typeName = named?.typeName ?? "";
    const own = side === "request" ? validators[`${typeName}Request`] : undefined;
    // A name that server.ts needs has a trailing underscore.
    const validator = own ?? validators[typeName] ?? validators[`${typeName}_`];
    for (const value of values) {
      const copy = structuredClone(value);
      const problems = validate(copy);
      const found = validator?.["~standard"].validate(value);
      expect({ side, value, isValid: found?.issues === undefined, problems }).toEqual({
        ...{ side, value, problems },
        isValid: problems.length === 0,
      });
      // The same functions validate, so the texts are the same, too.
      const interpreted = structuredClone(value);
      const issues = interpret(interpreted).map(({ path, text }) => [path.join("/"), text]);
      const foundIssues = (found?.issues ?? []).map(({ path, message }) => [path.join("/"), message]);
      expect({ side, value, issues }).toEqual({ side, value, issues: foundIssues });
      counted.values += 1;
      if (found?.issues === undefined) {
        counted.valid += 1;
        expect(JSON.stringify(found?.value)).toBe(JSON.stringify(copy));
        expect(JSON.stringify(interpreted)).toBe(JSON.stringify(copy));
      } else if (
        JSON.stringify(foundIssues) ===
        JSON.stringify(problems.map(({ path, text }) => [path.join("/"), text]))
      )
        counted.sameTexts += 1;
    }
  }
  return counted;
}

test("random schemas: verdicts and defaults are the runtime's", () => {
  const counted: Comparison = { values: 0, valid: 0, sameTexts: 0 };
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const random = createRandom(seed * 7_919 + 13);
    const codes: string[] = [];
    const schemas = { ...FIXED, Random: createSchema(random) };
    buildContract(
      { openapi: "3.1.0", paths: {}, components: { schemas } },
      { report: (code) => void codes.push(code) },
    );
    if (codes.includes("schema-circular")) continue;
    const values = Array.from({ length: 40 }, () => createValue(random));
    const contract = toOperationContract({}, schemas);
    for (const name of seed % 10 === 0 ? COMPONENTS : ["Random"]) compare(contract, name, values, counted);
  }
  expect(counted.values).toBeGreaterThan(SEEDS * 40);
  expect(counted.valid).toBeGreaterThan(counted.values / 20);
  // The others have several unions within each other, of which the runtime reports a part twice.
  expect(counted.sameTexts).toBeGreaterThan((counted.values - counted.valid) * 0.9);
});

describe.each(["everyday", "keywords", "polymorphic", "shapes", "hostile"])("fixture %s", (fixture) => {
  const document = JSON.parse(
    readFileSync(new URL(`../../fixtures/${fixture}/generated/contract.json`, import.meta.url), "utf8"),
  ) as Readonly<Record<string, unknown>>;
  const contract = buildContract(document);

  test.each(contract.schemas.filter(({ name }) => !contract.registry.isMade(name)).map(({ name }) => name))(
    "%s",
    (name) => {
      const values = SIDES.flatMap((side) => {
        const make = createValues({
          registry: contract.registry,
          side,
          leaves: { strings: toStrings, numbers: toNumbers },
          examples: 0.2,
          optional: 0.6,
        });
        const arbitrary = make(contract.registry.component(name));
        return arbitrary === undefined ? [] : fc.sample(arbitrary, { numRuns: 12, seed: 7 });
      });
      const random = createRandom(3);
      const broken = values.flatMap((value) => breakValue(value, random));
      compare(contract, name, [...values, ...broken]);
    },
  );
});

/** Changes one part of a value. */
function breakValue(value: unknown, random: (limit: number) => number): readonly unknown[] {
  const other = createValue(random, 1);
  if (typeof value !== "object" || value === null) return [other];
  const keys = Object.keys(value);
  const key = keys[random(keys.length)];
  if (key === undefined) return [other, { extra: other }];
  const copy = structuredClone(value) as Record<string, unknown>;
  const inner = copy[key];
  copy[key] = random(2) === 0 ? other : (breakValue(inner, random)[0] ?? other);
  const rest = Object.fromEntries(Object.entries(structuredClone(value)).filter(([name]) => name !== key));
  return Array.isArray(value) ? [copy] : [copy, rest, { ...rest, extra: other }];
}
