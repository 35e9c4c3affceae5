import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { CONTRACTS } from "./fixtures.js";
import { listChanges, toContract } from "./pair.js";
import { REWRITES } from "./rewrite.js";

const dialects = parse(readFileSync(new URL("./pairs/dialects.yaml", import.meta.url), "utf8")) as readonly [
  string,
  unknown,
  unknown,
][];

describe("the same contract, written differently, has no change", () => {
  describe.each(CONTRACTS)("%s", (_, contract) => {
    test.each(Object.entries(REWRITES))("%s", async (_name, rewrite) => {
      const rewritten = rewrite(contract);
      expect(await listChanges(contract, rewritten)).toEqual([]);
      expect(await listChanges(rewritten, contract)).toEqual([]);
    });
  });

  test.each(dialects)("OpenAPI 3.0 and 3.1: %s", async (_, before, after) => {
    expect(await listChanges(toContract(before, "3.0.3"), toContract(after))).toEqual([]);
    expect(await listChanges(toContract(after), toContract(before, "3.0.3"))).toEqual([]);
  });
});
