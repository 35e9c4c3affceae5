// @slow: type-checks a service for every case.
import { describe, expect, test } from "@jest/globals";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { findClientBreaks } from "../../../src/cli/impact/clients/find-client-breaks.js";
import { pairOperations } from "../../../src/cli/impact/operation-pairs.js";
import { CONTRACTS } from "../diff/fixtures.js";
import { generate } from "./sides.js";

/** Adds an operation to a contract, so that its types differ and are compared. */
function withOneMore(contract: Node): Node {
  const added = { get: { operationId: "oneMore", responses: { "204": { description: "Done." } } } };
  return { ...contract, paths: { ...(contract["paths"] as Node), "/one-more": added } };
}

describe("code that calls unchanged operations compiles", () => {
  test.each(CONTRACTS)("%s", (_, contract) => {
    const sides = { base: generate(contract), revision: generate(withOneMore(contract)) };
    const { whole, byOperation } = findClientBreaks(sides, pairOperations(sides));
    expect([...byOperation].filter(([, breaks]) => breaks.length > 0)).toEqual([]);
    expect(byOperation.size).toBe(sides.base.operations.length);
    expect(whole).toEqual([]);
  });
});
