// @thorough, 70 s: tests a server for every mismatch that verify can find.
import { describe, expect, test } from "@jest/globals";
import { CHECKS } from "../../../src/cli/verify/checks/index.js";
import { BOOKING_FAULTS } from "./bookings.js";
import { type Fault, FAULTS } from "./faults.js";
import { loadThings, verifyThings } from "./run.js";
import { toCount } from "../../support/to-count.js";

const contract = await loadThings();

describe("a server that conforms to its contract", () => {
  test("passes with several seeds", async () => {
    const found = [];
    for (let seed = 1; seed <= toCount(3); seed += 1) {
      const { failures } = await verifyThings(contract, undefined, { seed, sparse: seed % 2 === 0 });
      found.push(...failures.map((failure) => ({ seed, ...failure })));
    }
    expect(found).toEqual([]);
  });

  test("is tested completely: every operation accepts and refuses requests", async () => {
    const { operations, notes } = await verifyThings(contract, undefined);
    expect(notes).toEqual([]);
    const seen = Object.fromEntries(operations.map(({ id, statuses }) => [id, Object.keys(statuses)]));
    expect(seen).toEqual({
      listThings: ["200", "400", "401"],
      createThing: ["201", "400", "401", "409", "415"],
      readThing: ["200", "400", "401", "404"],
      replaceThing: ["200", "400", "401", "404", "409", "415"],
      deleteThing: ["204", "400", "401", "404"],
      openVault: ["200", "401"],
      oldThings: ["200"],
    });
  });
});

describe("a server with one injected fault", () => {
  test.each(Object.entries(FAULTS))("that %s fails the check %s, and no other", async (fault, check) => {
    const { failures } = await verifyThings(contract, fault as Fault);
    expect(failures.map(({ message, ...failure }) => [failure.check, message])).not.toEqual([]);
    expect([...new Set(failures.map((failure) => failure.check))]).toEqual([check]);
  });

  test("exists for every check", () => {
    // Those of ranges and callbacks are in ranges.test.ts and callbacks.test.ts.
    const checks = [...Object.values(FAULTS), ...Object.values(BOOKING_FAULTS), "ranges", "callbacks"];
    expect([...new Set(checks)].sort()).toEqual(Object.keys(CHECKS).sort());
  });
});
