import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import { describe, expect, test } from "@jest/globals";
import type { Finding } from "../../../src/cli/diff/change.js";
import { diffContracts } from "../../../src/cli/diff/index.js";
import { toGithub, toJunit, toMarkdown, writeText } from "../../../src/cli/diff/report/index.js";
import { createDiffPage } from "../../../src/cli/docs/changes/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { findChanges, NOW, toContract } from "./pair.js";

type Schema = Readonly<Record<string, unknown>>;
type Level = "breaking" | "risky" | "safe" | "none";
type Pair = readonly [name: string, base: Schema, revision: Schema, forth: Level, back: Level];

const text = { type: "string" };
const list = { type: "array", items: text };
const open = { type: "object" };
const both = { type: "object", properties: { a: text, b: text } };

/** The worst level of requests, from the base to the revision and back. Responses have the levels the other way round. */
const pairs: readonly Pair[] = [
  ["contains added", list, { ...list, contains: { const: "x" } }, "breaking", "safe"],
  [
    "contains another value",
    { ...list, contains: { const: "x" } },
    { ...list, contains: { const: "y" } },
    "breaking",
    "breaking",
  ],
  [
    "contains a wider value",
    { ...list, contains: { const: "x" } },
    { ...list, contains: { enum: ["x", "y"] } },
    "risky",
    "breaking",
  ],
  [
    "minContains raised",
    { ...list, contains: { const: "x" } },
    { ...list, contains: { const: "x" }, minContains: 2 },
    "breaking",
    "safe",
  ],
  [
    "minContains of 0",
    { ...list, contains: { const: "x" } },
    { ...list, contains: { const: "x" }, minContains: 0 },
    "safe",
    "breaking",
  ],
  [
    "maxContains added",
    { ...list, contains: { const: "x" } },
    { ...list, contains: { const: "x" }, maxContains: 2 },
    "breaking",
    "safe",
  ],
  ["minContains without contains", list, { ...list, minContains: 2 }, "none", "none"],
  ["dependentRequired added", both, { ...both, dependentRequired: { a: ["b"] } }, "breaking", "safe"],
  [
    "dependentRequired of one more property",
    { ...both, dependentRequired: { a: ["b"] } },
    { ...both, dependentRequired: { a: ["b", "c"] } },
    "breaking",
    "safe",
  ],
  [
    "dependentSchemas added",
    both,
    { ...both, dependentSchemas: { a: { required: ["b"] } } },
    "breaking",
    "safe",
  ],
  [
    "dependentSchemas of a property that is never there",
    { ...both, additionalProperties: false },
    { ...both, additionalProperties: false, dependentSchemas: { c: { required: ["a"] } } },
    "risky",
    "safe",
  ],
  ["propertyNames added", open, { ...open, propertyNames: { maxLength: 3 } }, "breaking", "safe"],
  [
    "propertyNames with a pattern",
    { ...open, propertyNames: { pattern: "^x-" } },
    { ...open, propertyNames: { pattern: "^x-[a-z]" } },
    "breaking",
    "risky",
  ],
  [
    "if and then added",
    both,
    { ...both, if: { required: ["a"] }, then: { required: ["b"] } },
    "breaking",
    "safe",
  ],
  [
    "else added",
    { ...both, if: { required: ["a"] }, then: { required: ["b"] } },
    { ...both, if: { required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } },
    "breaking",
    "safe",
  ],
  ["then without if", both, { ...both, then: { required: ["b"] } }, "none", "none"],
  ["if without then and else", both, { ...both, if: { required: ["b"] } }, "none", "none"],
  [
    "required replaced by oneOf of each",
    { ...both, required: ["a", "b"] },
    { ...both, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    "breaking",
    "breaking",
  ],
  ["not added", { type: "integer" }, { type: "integer", not: { const: 0 } }, "breaking", "safe"],
  [
    "not of another type added",
    { type: "integer" },
    { type: "integer", not: { type: "string" } },
    "risky",
    "safe",
  ],
  ["a wider pattern", { ...text, pattern: "^[a-c]$" }, { ...text, pattern: "^[a-z]$" }, "risky", "breaking"],
  [
    "a pattern of other strings",
    { ...text, pattern: "^\\d{4}$" },
    { ...text, pattern: "^[A-Z]{2}$" },
    "breaking",
    "breaking",
  ],
  [
    "patternProperties added",
    open,
    { ...open, patternProperties: { "^x-": { type: "integer" } } },
    "breaking",
    "safe",
  ],
  [
    "anyOf that becomes oneOf",
    { anyOf: [{ type: "integer" }, { type: "number", minimum: 0 }] },
    { oneOf: [{ type: "integer" }, { type: "number", minimum: 0 }] },
    "breaking",
    "risky",
  ],
  [
    "a property of a property",
    { ...open, properties: { p: { ...open, properties: { q: list } } } },
    { ...open, properties: { p: { ...open, properties: { q: { ...list, contains: { const: "x" } } } } } },
    "breaking",
    "safe",
  ],
  [
    "a listed object that is invalid now",
    { enum: [{ a: 1 }] },
    { ...open, required: ["b"] },
    "breaking",
    "breaking",
  ],
  [
    "a listed object that stays valid",
    { enum: [{ a: 1 }] },
    { ...open, required: ["a"] },
    "safe",
    "breaking",
  ],
];

/** Changes that break no client, or that no rule decides. */
const alarms: readonly Pair[] = [
  [
    "an optional property beside anyOf of required properties",
    { ...both, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    {
      ...both,
      properties: { ...both.properties, c: text },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    "safe",
    "risky",
  ],
  ["an optional property that becomes readOnly", both, withB({ ...text, readOnly: true }), "risky", "safe"],
  ["a pattern that every string matches", text, { ...text, pattern: ".*" }, "none", "none"],
  ["an empty pattern", text, { ...text, pattern: "" }, "none", "none"],
  ["a pattern that no line break matches", text, { ...text, pattern: "^.*$" }, "breaking", "safe"],
];

function withB(b: Schema): Schema {
  return { ...both, properties: { a: text, b } };
}

const RANKS: readonly Level[] = ["none", "safe", "risky", "breaking"];

function worst(findings: readonly Finding[], direction: string): Level {
  const levels = findings
    .filter(({ code }) => code.startsWith(direction))
    .map(({ level }) => RANKS.indexOf(level ?? "none"));
  return RANKS[Math.max(0, ...levels)] ?? "none";
}

const ajv = new Ajv2020({ strict: false, logger: false });

/** Finds the schema of a part: `.p.q` and `[]`. */
function findPart(schema: Schema, path: string): Schema {
  return path
    .split(".")
    .slice(1)
    .reduce((part, name) => (part["properties"] as Readonly<Record<string, Schema>>)[name] ?? {}, schema);
}

/** Validates each value of a change by another validator than the search uses. */
function checkValues(findings: readonly Finding[], base: Schema, revision: Schema): void {
  for (const { code, counterexample } of findings) {
    if (counterexample === undefined) continue;
    const { path, value } = counterexample;
    const [before, after] = [base, revision].map((schema) => ajv.validate(findPart(schema, path), value));
    const isRequest = code.startsWith("request-");
    expect({ code, value, before, after }).toEqual({ code, value, before: isRequest, after: !isRequest });
  }
}

describe("a change is breaking where a value shows it", () => {
  test.each(pairs)("%s", async (_, base, revision, forth, back) => {
    const [there, again] = [await findChanges(base, revision), await findChanges(revision, base)];
    expect([worst(there, "request"), worst(again, "request")]).toEqual([forth, back]);
    expect([worst(again, "response"), worst(there, "response")]).toEqual([forth, back]);
    checkValues(there, base, revision);
    checkValues(again, revision, base);
  });

  test.each(alarms)("%s", async (_, base, revision, forth, back) => {
    expect(worst(await findChanges(base, revision), "request")).toBe(forth);
    expect(worst(await findChanges(revision, base), "request")).toBe(back);
  });

  test("the same comparison finds the same value", async () => {
    const find = async () =>
      (await findChanges(list, { ...list, contains: { const: "x" } }))[0]?.counterexample;
    expect(await find()).toEqual({ path: "", value: [] });
    expect(await find()).toEqual({ path: "", value: [] });
  });
});

describe("the value is part of every output", () => {
  const compare = () => {
    const [base, revision] = [list, { ...list, contains: { const: "x" } }].map((schema) => ({
      contract: buildContract(toContract(schema)),
      locate: (pointer: string) => ({ file: "openapi.yaml", line: 1, pointer }),
    }));
    if (base === undefined || revision === undefined) throw new Error("A contract is missing");
    return diffContracts({ base, revision }, { now: NOW });
  };
  const wanted = "was valid and is no longer valid.";

  test("JSON", async () => {
    const { changes } = await compare();
    expect(changes[0]).toMatchObject({
      code: "request-keyword-tightened",
      level: "breaking",
      counterexample: { path: "", value: [] },
    });
    expect(changes[0]?.why).toContain(wanted);
  });

  test("text", async () => {
    const written: string[] = [];
    writeText(
      await compare(),
      { write: (part: string) => written.push(part) > 0 },
      { readLine: () => undefined },
    );
    expect(written.join("")).toContain(`[] ${wanted}`);
  });

  test("Markdown, GitHub annotations, JUnit and HTML", async () => {
    const report = { base: "a.yaml", revision: "b.yaml", ...(await compare()) };
    expect(toMarkdown(report)).toContain(`&#91;&#93; ${wanted}`);
    expect(toGithub(report, (file) => ({ file, isSame: true }))).toContain(wanted);
    expect(toJunit(report, { failOn: "breaking", checkVersion: false })).toContain(wanted);
    expect(createDiffPage(report)).toContain(wanted);
  });
});
