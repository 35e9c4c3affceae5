// @thorough: repeats a measurement for each keyword.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { FORMAT_WORST_CASES, WORST_CASES, type WorstCase } from "../../support/worst-inputs/cases.js";
import { FORMATS } from "../../support/worst-inputs/formats.js";
import { startWorstInputs, type WorstInputRun } from "../../support/worst-inputs/run.js";

/** Quadratic work is seconds for this many bytes; linear work is less than the request itself. */
const BYTES = 40_000;
const ROUNDS = 2;
const TRIES = 8;

/** The formats are tried with a few of the inputs; `npm run test:long -- worst-inputs --formats` has all of them. */
const CASES = [...WORST_CASES, ...FORMAT_WORST_CASES.filter((_, index) => index % 17 === 2)];

/** A request that costs little for its size. */
const PLAIN: WorstCase = {
  name: "plain",
  covers: [],
  schema: { type: "string" },
  input: (bytes) => ({ contentType: "application/json", body: JSON.stringify("a".repeat(bytes)) }),
};

let run: WorstInputRun;
beforeAll(async () => {
  run = await startWorstInputs([PLAIN, ...CASES]);
});
afterAll(() => run.stop());

/** The least of a few samples: whatever else the machine does adds to them. */
async function measure(worst: WorstCase, bytes: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1)
    least = Math.min(least, (await run.measure(worst, bytes)).ms);
  return least;
}

/** Twice the input takes at most three times the time, apart from what any request takes. */
async function isLinear(worst: WorstCase, bytes = BYTES): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const plain = await measure(PLAIN, bytes * 2);
    const short = await measure(worst, bytes);
    if ((await measure(worst, bytes * 2)) <= 3 * short + 5 * plain) return true;
  }
  return false;
}

describe("twice the input takes no more than three times the time:", () => {
  test.each(CASES.map((worst) => [worst.name, worst] as const))("%s", async (_, worst) => {
    expect(await isLinear(worst)).toBe(true);
  });
});

test("quadratic work is found", async () => {
  const pattern = { name: "pattern", covers: [], schema: { pattern: "\\s+$" } };
  const quadratic: WorstCase = {
    ...pattern,
    input: (bytes) => ({ contentType: "application/json", body: JSON.stringify(`${" ".repeat(bytes)}a`) }),
  };
  const own = await startWorstInputs([PLAIN, quadratic]);
  try {
    let isFound = false;
    for (let attempt = 0; attempt < TRIES && !isFound; attempt += 1) {
      const plain = (await own.measure(PLAIN, BYTES)).ms;
      const short = (await own.measure(quadratic, BYTES / 2)).ms;
      isFound = (await own.measure(quadratic, BYTES)).ms > 3 * short + 5 * plain;
    }
    expect(isFound).toBe(true);
  } finally {
    await own.stop();
  }
});

test("there is a case for each keyword that is enforced, and each format", () => {
  const covered = new Set([...WORST_CASES, ...FORMAT_WORST_CASES].flatMap(({ covers }) => covers));
  expect([...KEYWORDS, ...FORMATS].filter((name) => !covered.has(name))).toEqual([]);
});

/** Of JSON Schema 2020-12 and OpenAPI, without annotations. */
const KEYWORDS = [
  ...["type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  ...["maxLength", "minLength", "pattern", "format", "maxItems", "minItems", "uniqueItems", "items"],
  ...["prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems", "maxProperties"],
  ...[
    "minProperties",
    "required",
    "dependentRequired",
    "dependentSchemas",
    "properties",
    "patternProperties",
  ],
  ...[
    "additionalProperties",
    "propertyNames",
    "unevaluatedProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
  ],
  ...["then", "else", "$ref", "discriminator", "default", "contentEncoding", "contentMediaType"],
];
