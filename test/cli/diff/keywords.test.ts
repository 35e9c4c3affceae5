// @thorough: compares hundreds of pairs of schemas.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import { parse } from "yaml";
import type { Finding } from "../../../src/cli/diff/change.js";
import { findChanges } from "./pair.js";

type Schema = boolean | Readonly<Record<string, unknown>>;
type Level = "breaking" | "risky" | "safe";
type Role = "request" | "response";

interface Facts {
  readonly lost?: unknown;
  readonly new?: unknown;
  readonly risky?: readonly ("lost" | "new")[];
  readonly levels?: readonly Level[];
  readonly policy?: string;
}

interface Group {
  readonly keyword: string;
  readonly of?: Readonly<Record<string, unknown>>;
  readonly pairs: readonly (readonly [base: Schema, revision: Schema, facts: Facts])[];
}

interface Case {
  readonly name: string;
  readonly base: Schema;
  readonly revision: Schema;
  readonly role: Role;
  readonly level: Level;
  /** A value that the one who sends can send, and that the other does not expect. */
  readonly value: { readonly value: unknown } | undefined;
}

const groups = parse(
  readFileSync(new URL("./pairs/keywords.yaml", import.meta.url), "utf8"),
) as readonly Group[];

/** Each pair forth and back, as a request and as a response. */
function toCases({ keyword, of = {}, pairs }: Group): readonly Case[] {
  const merge = (schema: Schema) => (typeof schema === "boolean" ? schema : { ...of, ...schema });
  return pairs.flatMap(([base, revision, facts]) => {
    const [one, other] = [merge(base), merge(revision)];
    const toCase = (role: Role, isForth: boolean): Case => {
      const broken = (role === "request") === isForth ? "lost" : "new";
      const value = broken in facts ? { value: facts[broken] } : undefined;
      const undecided = facts.risky?.includes(broken) === true ? "risky" : "safe";
      const index = (role === "request" ? 0 : 2) + (isForth ? 0 : 1);
      const [from, to] = isForth ? [one, other] : [other, one];
      const level = facts.levels?.[index] ?? (value === undefined ? undecided : "breaking");
      const name = `${role} ${JSON.stringify(from)} → ${JSON.stringify(to)}`;
      return { name: `${keyword}: ${name}`, base: from, revision: to, role, level, value };
    };
    return (["request", "response"] as const).flatMap((role) => [toCase(role, true), toCase(role, false)]);
  });
}

const cases = groups.flatMap(toCases);

/** Keywords of JSON Schema 2020-12 without a group, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  $ref: "dialects.yaml and rewrite.ts",
  $defs: "same.test.ts: a reference and its target are equal",
  $dynamicRef: "test/tenon/core/dynamic-references.test.ts: it becomes a $ref before the comparison",
  $dynamicAnchor: "as $dynamicRef",
  $anchor: "references to it are resolved when the contract is bundled",
  $id: "as $anchor",
  $schema: "documents have one dialect",
  $vocabulary: "only in meta-schemas",
  $comment: "the group of annotations",
  title: "the group of annotations",
  description: "the group of annotations",
  deprecated: "the group of annotations, and lifecycles.test.ts",
  examples: "the group of annotations",
};
/** The formats of the pairs, which Ajv does not have. */
const FORMATS = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT/,
  uuid: /^[\da-f]{8}-/,
  ipv4: /^[\d.]+$/,
  ipv6: /^[\da-f:]+$/,
};

const ajv = new Ajv2020({ strict: false, logger: false, formats: FORMATS });

/**
 * Breaking changes without a value: of lifecycles, of formats that the validator does not assert, and of properties that services
 * may ignore.
 */
const NOT_SHOWN = /schema-(?:sunset|stability|lifecycle)|-format-|request-property-became-read-only/;

/** Ajv does not know that a `readOnly` property is not required in requests. */
function hasDirection(...schemas: readonly Schema[]): boolean {
  return /readOnly|writeOnly/.test(JSON.stringify(schemas));
}

/** The keywords of all vocabularies. @see https://json-schema.org/draft/2020-12 */
const KEYWORDS = `$id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs
prefixItems items contains additionalProperties properties patternProperties dependentSchemas propertyNames
if then else allOf anyOf oneOf not unevaluatedItems unevaluatedProperties
type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern
maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired
format contentEncoding contentMediaType contentSchema
title description default deprecated readOnly writeOnly examples`.replaceAll("\n", " ");

/** Schemas around a schema. */
const WHOLES: Readonly<Record<string, (schema: Schema) => Schema>> = {
  "a required property": (p) => ({ type: "object", required: ["p"], properties: { p } }),
  "an optional property": (p) => ({ type: "object", properties: { p } }),
  "the items of an array": (items) => ({ type: "array", items }),
  allOf: (schema) => ({ allOf: [schema, {}] }),
};

const RANKS: readonly Level[] = ["safe", "risky", "breaking"];

function worst(findings: readonly Finding[], role: Role): Level {
  const own = findings.filter(({ code }) => code.startsWith(role));
  return RANKS[Math.max(0, ...own.map(({ level = "safe" }) => RANKS.indexOf(level)))] ?? "safe";
}

describe("every keyword, forth and back, in requests and responses", () => {
  test.each(cases)("$name is $level", async ({ base, revision, role, level, value }) => {
    const findings = await findChanges(base, revision);
    expect(worst(findings, role)).toBe(level);
    const [sent, expected] = role === "request" ? [base, revision] : [revision, base];
    if (value !== undefined) {
      expect(ajv.validate(sent, value.value)).toBe(true);
      expect(ajv.validate(expected, value.value)).toBe(false);
    }
    for (const finding of findings.filter(({ code }) => code.startsWith(role))) {
      const { code, counterexample } = finding;
      const isShown = finding.level === "breaking" && !NOT_SHOWN.test(code);
      if (isShown) expect({ code, counterexample }).toHaveProperty("counterexample.value");
      if (counterexample?.path !== "" || hasDirection(base, revision)) continue;
      expect(ajv.validate(sent, counterexample.value)).toBe(true);
      expect(ajv.validate(expected, counterexample.value)).toBe(false);
    }
  });

  test.each(Object.entries(WHOLES))("within %s, the levels are the same", async (_, wrap) => {
    const differing: string[] = [];
    for (const { name, base, revision } of cases.filter(({ role }) => role === "request")) {
      const findings = await findChanges(wrap(base), wrap(revision));
      const levels = cases.filter((one) => one.base === base && one.revision === revision);
      for (const { role, level } of levels)
        if (worst(findings, role) !== level) differing.push(`${name}, ${role}: ${worst(findings, role)}`);
    }
    expect(differing).toEqual([]);
  });

  test("every keyword of JSON Schema 2020-12 has pairs", () => {
    const found = new Set([...groups.map(({ keyword }) => keyword), ...Object.keys(ELSEWHERE)]);
    const missing = KEYWORDS.split(" ").filter((keyword) => !found.has(keyword));
    expect(missing).toEqual([]);
  });

  test("a level that is not that of the values has a reason", () => {
    for (const { pairs } of groups)
      for (const [, , facts] of pairs) expect(facts.levels === undefined).toBe(facts.policy === undefined);
  });
});
