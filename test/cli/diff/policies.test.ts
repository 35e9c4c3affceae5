import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { CODES } from "../../../src/cli/diff/codes/codes.js";
import { listPolicyCodes, POLICIES } from "../../../src/cli/diff/codes/policies.js";
import { diffContracts, type DiffContractsOptions } from "../../../src/cli/diff/diff-contracts.js";
import type { Level } from "../../../src/cli/diff/change.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { applyEdit, type Edit } from "./edit.js";
import { NOW, toContract } from "./pair.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** The rows of the guide's table: codes and their levels under each policy. */
const rows = [
  ...read("../../../src/cli/guide/compare.md").matchAll(
    /^\| (`[a-z-]+`.*?)\| (\w+) +\| (\w+) +\| (\w+) +\|$/gm,
  ),
].flatMap(([, codes = "", ...levels]) =>
  [...codes.matchAll(/`([a-z-]+)`/g)].flatMap(([, code = ""]) => {
    const ofSchemas = ["request", "response"].map((direction) => `${direction}-schema-${code}`);
    return [code, ...ofSchemas.filter((one) => one in CODES)].map((one) => [one, ...levels] as const);
  }),
);

type Documents = readonly [base: Node, revision: Node];

/** Finds the levels of the changes that have a code. */
async function findLevels(
  code: string,
  [base, revision]: Documents,
  options: Partial<DiffContractsOptions> = {},
): Promise<readonly Level[]> {
  const toLocated = (document: Node) => ({
    contract: buildContract(document),
    locate: (pointer: string) => ({ file: "openapi.yaml", line: 1, pointer }),
  });
  const sides = { base: toLocated(base), revision: toLocated(revision) };
  const { changes } = await diffContracts(sides, { now: NOW, ...options });
  return [...new Set(changes.flatMap((change) => (change.code === code ? change.level : [])))];
}

const base = parse(read("pairs/base.yaml")) as Node;
const edits = parse(read("pairs/documents.yaml")) as readonly [
  string,
  Edit & { readonly base?: Edit },
  string[],
  string[],
][];
const groups = parse(read("pairs/schemas.yaml")) as readonly {
  readonly pairs: readonly (readonly [string, unknown, unknown, string[], string[]])[];
}[];

/** Every pair of the tests of changes, forth and back, with the changes that it expects. */
const pairs: readonly (readonly [Documents, readonly string[]])[] = [
  ...edits.flatMap(([, edit, forth, back]) => {
    const prepared = applyEdit(base, edit.base ?? {});
    const revision = applyEdit(prepared, edit);
    return [[[prepared, revision], forth] as const, [[revision, prepared], back] as const];
  }),
  ...groups
    .flatMap((group) => group.pairs)
    .flatMap(([, one, other, forth, back]) => {
      const [before, after] = [toContract(one), toContract(other)];
      const both = (facts: readonly string[]) =>
        facts.flatMap((fact) => {
          const [, name = "", request = "", response = ""] = /^(\S+) ([a-z-]+)\/([a-z-]+)$/.exec(fact) ?? [];
          return [`${request} request-${name}`, `${response} response-${name}`];
        });
      return [[[before, after], both(forth)] as const, [[after, before], both(back)] as const];
    }),
];

describe("the table of policies in the guide", () => {
  test("lists each change whose level depends on the policy, once", () => {
    expect(rows.map(([code]) => code).sort()).toEqual([...listPolicyCodes()].sort());
  });

  test.each(rows)("%s is %s, %s or %s", async (code, strict, normal, lenient) => {
    const found = pairs.find(([, changes]) => changes.includes(`${normal} ${code}`));
    const [documents = [{}, {}]] = found ?? [];
    const levels = await Promise.all(POLICIES.map((policy) => findLevels(code, documents, { policy })));
    expect(levels).toEqual([[strict], [normal], [lenient]]);
    expect(await findLevels(code, documents)).toEqual([normal]);
  });

  test("a policy is never more lenient than a less strict one", () => {
    const order: readonly string[] = ["safe", "risky", "breaking"];
    for (const [, ...levels] of rows) {
      const ranks = levels.map((level) => order.indexOf(level));
      expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
    }
  });
});

describe("a policy", () => {
  const toEnum = (stability: string, ...values: string[]): Node => {
    const document = toContract({ type: "string", enum: values });
    const paths = document["paths"] as Record<string, { post: Record<string, unknown> }>;
    for (const { post } of Object.values(paths)) post["x-stability-level"] = stability;
    return document;
  };
  const code = "response-enum-value-added";
  const toDocuments = (stability: string): Documents => [toEnum(stability, "a"), toEnum(stability, "a", "b")];

  test("does not break what promises less stability", async () => {
    expect(await findLevels(code, toDocuments("stable"), { policy: "strict" })).toEqual(["breaking"]);
    expect(await findLevels(code, toDocuments("draft"), { policy: "strict" })).toEqual(["risky"]);
  });

  test("gives way to `levels`", async () => {
    const levels = { [code]: "safe" } as const;
    expect(await findLevels(code, toDocuments("stable"), { policy: "strict", levels })).toEqual(["safe"]);
  });
});
