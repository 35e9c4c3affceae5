// @thorough: compares thousands of generated contracts.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { getOwn, isNode, type Node } from "../../../src/tenon/core/document/index.js";
import { CONTRACTS } from "./fixtures.js";
import { listChanges } from "./pair.js";
import { findSites, type Site } from "./sites.js";

/** Narrows a schema, whatever its other keywords are. Returns undefined for schemas that it does not apply to. */
const NARROWINGS: Readonly<Record<string, (schema: Node) => Node | undefined>> = {
  "a lower maxLength": (schema) =>
    isOf(schema, "string") && isFree(schema) && schema["minLength"] === undefined
      ? { ...schema, maxLength: toLimit(schema["maxLength"], 3) }
      : undefined,
  "a lower maximum": (schema) =>
    (isOf(schema, "integer") || isOf(schema, "number")) && isFree(schema) && !("exclusiveMaximum" in schema)
      ? { ...schema, maximum: toLimit(schema["maximum"], 1e6) }
      : undefined,
  "one value less": (schema) => {
    const { enum: values } = schema;
    return Array.isArray(values) && values.length > 1 ? { ...schema, enum: values.slice(0, -1) } : undefined;
  },
  "a new required property": (schema) =>
    isOf(schema, "object")
      ? {
          ...schema,
          required: [...((schema["required"] as readonly string[] | undefined) ?? []), "addedHere"],
          properties: { ...(schema["properties"] as Node | undefined), addedHere: { type: "string" } },
        }
      : undefined,
  "a lower maxItems": (schema) =>
    isOf(schema, "array") && schema["minItems"] === undefined && schema["prefixItems"] === undefined
      ? { ...schema, maxItems: toLimit(schema["maxItems"], 2) }
      : undefined,
  "another type": (schema) => {
    const { type } = schema;
    if (type !== "string" && type !== "integer") return undefined;
    return { type: type === "string" ? "boolean" : "string" };
  },
  "a pattern": (schema) =>
    isOf(schema, "string") && isFree(schema) && schema["pattern"] === undefined
      ? { ...schema, pattern: "^never$" }
      : undefined,
};

function isOf(schema: Node, type: string): boolean {
  return schema["type"] === type;
}

/** Tests whether the values are not listed by `enum` or `const`. */
function isFree(schema: Node): boolean {
  return schema["enum"] === undefined && schema["const"] === undefined && schema["format"] !== "binary";
}

function toLimit(limit: unknown, otherwise: number): number {
  return typeof limit === "number" ? limit - 1 : otherwise;
}

interface Case {
  readonly name: string;
  readonly contract: Node;
  readonly site: Site;
  readonly kind: string;
  readonly mutated: Node;
}

const cases: readonly Case[] = CONTRACTS.flatMap(([name, contract]) =>
  findSites(contract).flatMap((site) =>
    Object.entries(NARROWINGS).flatMap(([kind, narrow]) => {
      const mutated = narrow(site.schema);
      return mutated === undefined ? [] : [{ name, contract, site, kind, mutated }];
    }),
  ),
);

describe("a narrowing of a schema that a contract uses is reported", () => {
  test("it is never safe in requests, and its reversal never in responses", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases.keys()), async (index) => {
        const found = cases[index];
        if (found === undefined) throw new Error(`There is no case ${index}`);
        const { contract, site, mutated } = found;
        const revision = replace(contract, site, mutated);
        const forth = await listChanges(contract, revision);
        const back = await listChanges(revision, contract);
        expect(forth.join()).toMatch(site.request ? /(?:breaking|risky) request-/ : /^/);
        expect(back.join()).toMatch(site.response ? /(?:breaking|risky) response-/ : /^/);
      }),
      { numRuns: 400 },
    );
  });

  test("the contracts have many such schemas, of every kind", () => {
    expect(cases.length).toBeGreaterThan(150);
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(Object.keys(NARROWINGS)));
  });
});

function replace(contract: Node, { path }: Site, schema: Node): Node {
  const put = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined) return schema;
    if (Array.isArray(value))
      return value.map((item: unknown, index) => (String(index) === key ? put(item, rest) : item));
    const node = isNode(value) ? value : {};
    return { ...node, [key]: put(getOwn(node, key), rest) };
  };
  return put(contract, path) as Node;
}
