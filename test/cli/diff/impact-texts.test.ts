import { expect, test } from "@jest/globals";
import { showClients } from "../../../src/cli/diff/report/impact.js";

const COMPILES = { clients: [], places: [] };

test.each(["operation-id-changed", "operation-id-removed"])("%s breaks what uses the name", (code) => {
  expect(showClients("risky", COMPILES, code)).toEqual([
    "Calls by path still compile; tests with createTester and handlers use the new name.",
  ]);
});

test("any other risky change that compiles breaks at run time", () => {
  expect(showClients("risky", COMPILES, "request-maximum-lowered")).toEqual([
    "Clients still compile; the break only shows at run time.",
  ]);
});
