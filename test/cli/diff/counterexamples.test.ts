import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import { describe, expect, test } from "@jest/globals";
import type { Finding } from "../../../src/cli/diff/change.js";
import { CODES } from "../../../src/cli/diff/codes/index.js";
import { compareContracts } from "../../../src/cli/diff/contract/compare-contracts.js";
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

const toOptional = (name: string, schema: Schema): Schema => ({
  type: "object",
  properties: { [name]: schema },
});
const toRequired = (p: Schema): Schema => ({ type: "object", properties: { p }, required: ["p"] });
const CODE: Schema = {
  type: "object",
  properties: {
    f: { ...text, pattern: "^[A-Z]{3}-[0-9]{4}$" },
    g: { type: "integer", minimum: 5000, maximum: 5010 },
  },
  required: ["f", "g"],
};

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
    "safe",
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
    "safe",
  ],
  [
    "an alternative of optional properties removed",
    { oneOf: [toOptional("a", text), toOptional("b", { type: "integer" }), toOptional("c", text)] },
    { oneOf: [toOptional("a", text), toOptional("b", { type: "integer" })] },
    "breaking",
    "breaking",
  ],
  [
    "an alternative removed that only joined values show in responses",
    { oneOf: [{ ...both, required: ["a"] }, { ...both, required: ["b"] }, CODE] },
    {
      oneOf: [
        { ...both, required: ["a"] },
        { ...both, required: ["b"] },
      ],
    },
    "breaking",
    "breaking",
  ],
  [
    "overlapping alternatives within an alternative",
    {
      anyOf: [
        toRequired({ oneOf: [{ type: "integer" }, { type: "number", minimum: 0 }] }),
        toRequired({ ...text, maxLength: 5 }),
      ],
    },
    {
      anyOf: [
        toRequired({ oneOf: [{ type: "integer" }, { type: "number", minimum: -5 }] }),
        toRequired({ ...text, maxLength: 9 }),
      ],
    },
    "breaking",
    "breaking",
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
  return (path.match(/\.\w+|\[\]/g) ?? []).reduce((part, step) => {
    const { items = {}, properties = {} } = part as { items?: Schema; properties?: Record<string, Schema> };
    return step === "[]" ? items : (properties[step.slice(1)] ?? {});
  }, schema);
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

const count = { type: "integer" };
const tagged = (k: string, more: object = {}, required: readonly string[] = ["k"]): Schema => ({
  type: "object",
  properties: { k: { const: k }, ...more },
  required,
});

/** Changes that rules decide, and the value that shows each of them in the direction that breaks. */
const decided: readonly (readonly [
  name: string,
  base: Schema,
  revision: Schema,
  values: Readonly<Record<string, unknown>>,
])[] = [
  [
    "a lower maximum",
    { ...count, maximum: 100 },
    { ...count, maximum: 50 },
    { "request-maximum-lowered": 51 },
  ],
  [
    "a higher exclusive minimum",
    { ...count, minimum: 1 },
    { ...count, exclusiveMinimum: 1 },
    { "request-minimum-raised": 1 },
  ],
  [
    "a limit of length where there was none",
    text,
    { ...text, maxLength: 3 },
    { "request-max-length-lowered": "aaaa" },
  ],
  ["a limit of items", list, { ...list, maxItems: 4 }, { "request-max-items-lowered": expect.any(Array) }],
  [
    "a limit of properties",
    open,
    { ...open, maxProperties: 3 },
    { "request-max-properties-lowered": expect.any(Object) },
  ],
  ["one value less", { enum: ["a", "b"] }, { enum: ["a"] }, { "request-enum-value-removed": "b" }],
  [
    "other values",
    { enum: ["a", "b"] },
    { enum: ["c"] },
    { "request-enum-replaced": "a", "response-enum-replaced": "c" },
  ],
  ["another type", text, count, { "request-type-changed": "", "response-type-changed": 0 }],
  ["null", { type: ["string", "null"] }, text, { "request-null-removed": null }],
  [
    "no value at all",
    { ...open, properties: { a: text } },
    { ...open, properties: { a: false } },
    {
      "request-type-removed": "",
    },
  ],
  ["a new required property", open, { ...both, required: ["a"] }, { "request-required-property-added": {} }],
  [
    "a required property, and another",
    { ...both, minProperties: 1 },
    { ...both, required: ["a"] },
    { "request-property-became-required": { b: expect.any(String) } },
  ],
  ["a pattern", text, { ...text, pattern: "^x-" }, { "request-pattern-added": "" }],
  [
    "two keywords, each with its own value",
    { ...text, minLength: 1 },
    { ...text, minLength: 3, pattern: "^[^a]" },
    { "request-min-length-raised": "a", "request-pattern-added": "a" },
  ],
  [
    "two values of an enum, each with its own",
    { enum: ["a", "b", "c"] },
    { enum: ["c"] },
    { "request-enum-value-removed": "a", "request-enum-value-removed 2": "b" },
  ],
  [
    "items of items",
    { type: "array", items: { ...open, properties: { p: list } } },
    { type: "array", items: { ...open, properties: { p: { ...list, items: count } } } },
    { "request-type-changed": "", "response-type-changed": 0 },
  ],
  [
    "an alternative, and a change in another",
    { anyOf: [tagged("a", { x: text }), tagged("b"), tagged("c")] },
    { anyOf: [tagged("a", { x: { ...text, maxLength: 2 } }), tagged("c")] },
    { "request-alternative-removed": expect.objectContaining({ k: expect.stringMatching(/^[ab]$/) }) },
  ],
];

describe("a change that rules decide shows a value, too", () => {
  test.each(decided)("%s", async (_, base, revision, values) => {
    const findings = await findChanges(base, revision);
    checkValues(findings, base, revision);
    const shown = findings.filter(({ level }) => level === "breaking");
    const seen = new Map<string, number>();
    const named = shown.map(({ code, counterexample }): [string, unknown] => {
      seen.set(code, (seen.get(code) ?? 0) + 1);
      const index = seen.get(code) === 1 ? "" : ` ${seen.get(code) ?? ""}`;
      return [`${code}${index}`, counterexample?.value];
    });
    expect(Object.fromEntries(named)).toEqual(values);
  });

  const toParameter = (schema: Schema) => {
    const contract = toContract({}) as { paths: { "/things": { post: object } } };
    const { post } = contract.paths["/things"];
    const parameters = [{ name: "q", in: "query", schema }];
    return { ...contract, paths: { "/things": { post: { ...post, parameters } } } };
  };

  test.each<[name: string, base: Schema, revision: Schema, value: unknown]>([
    ["a text that is no number", text, count, ""],
    ["digits, which are a number", { ...text, pattern: "^[0-9]$" }, count, undefined],
    ["a lower maximum", { ...count, maximum: 9 }, { ...count, maximum: 5 }, 6],
    ["a shorter text", { ...text, maxLength: 9 }, { ...text, maxLength: 5 }, "aaaaaa"],
  ])("a parameter is a text: %s", async (_, base, revision, value) => {
    const contracts = {
      base: buildContract(toParameter(base)),
      revision: buildContract(toParameter(revision)),
    };
    const [found, ...others] = await compareContracts(contracts, { now: NOW });
    expect(others).toEqual([]);
    expect(found?.level ?? CODES[found?.code ?? ""]?.level).toBe("breaking");
    expect(found?.counterexample?.value).toEqual(value);
  });

  test("it takes no steps from the changes that rules do not decide", async () => {
    const tightened = { ...list, contains: { const: "x" } };
    const toMany = (length: number, a: Schema, last: Schema): Schema => ({
      type: "object",
      properties: {
        ...Object.fromEntries(
          Array.from({ length }, (_, index) => [`p${index}`, { ...a, title: `${index}` }]),
        ),
        last,
      },
    });
    // None of these shows a value, and all of them take steps.
    const hard = { ...text, minLength: 2000 };
    const findings = await findChanges(
      toMany(250, hard, list),
      toMany(250, { ...hard, minLength: 3000 }, tightened),
    );
    const last = findings.filter(({ counterexample }) => counterexample?.path === ".last");
    expect(last.map(({ level, code }) => `${level ?? ""} ${code}`)).toEqual([
      "breaking request-keyword-tightened",
    ]);
    expect(
      findings.filter(({ code, level }) => code === "request-min-length-raised" && level !== "breaking"),
    ).toEqual([]);
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
