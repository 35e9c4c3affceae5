// @thorough: compares 1,000 mutated contracts.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { CONTRACTS } from "./fixtures.js";
import { checkMutation, drawMutations, KINDS, LEVELLED, showPlace } from "./mutations/mutate.js";

const read = (name: string) => parse(readFileSync(new URL(name, import.meta.url), "utf8")) as Node;

/** Lifecycles and tools have tests of their own. */
const contracts = [
  ...CONTRACTS,
  ["pairs", read("pairs/base.yaml")] as const,
  ["rare places", read("mutations/rare-places.yaml")] as const,
].map(([name, contract]) => {
  const text = JSON.stringify(contract, (key, value: unknown) => (LEVELLED.has(key) ? undefined : value));
  return [name, JSON.parse(text) as Node] as const;
});

/** Mutations of each kind in all contracts. */
const counts = new Map<string, number>();

describe("a mutation of known truth has its level", () => {
  test.each(contracts)("%s", async (_, contract) => {
    const wrong: string[] = [];
    for (const mutation of drawMutations(contract, { counts, limit: KINDS.length, seed: 1 })) {
      const { verdict, level, codes } = await checkMutation(contract, mutation);
      const { kind, pointer, truth } = mutation;
      if (verdict !== "right")
        wrong.push(
          `${verdict}: ${kind} is ${truth}, not ${level} (${codes.join()}): ${pointer} ${showPlace(contract, mutation)}`,
        );
    }
    expect(wrong).toEqual([]);
  });

  test("the contracts have mutations of every kind", () => {
    expect([...counts.keys()].toSorted()).toEqual(KINDS.toSorted());
  });
});
