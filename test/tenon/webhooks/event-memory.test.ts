import { describe, expect, test } from "@jest/globals";
import { createEventMemory, createSqliteEventMemory } from "../../../src/tenon/webhooks/index.js";
import { openDatabase } from "./exchange.js";

const MINUTE = 60_000;

describe.each([
  ["in the process", createEventMemory],
  ["in SQLite", (options: object) => createSqliteEventMemory(openDatabase(), options)],
] as const)("a memory of events %s", (_, create) => {
  test("gives an event to one caller", async () => {
    const memory = create({});
    const claims = [await memory.claim("a", 0), await memory.claim("a", 1), await memory.claim("b", 1)];
    expect(claims).toEqual(["new", "running", "new"]);
    await memory.complete("a", 2);
    await memory.release("b");
    expect([await memory.claim("a", 3), await memory.claim("b", 3)]).toEqual(["done", "new"]);
  });

  test("gives an event away whose caller has ended", async () => {
    const memory = create({});
    expect(await memory.claim("a", 0)).toBe("new");
    expect(await memory.claim("a", 4 * MINUTE)).toBe("running");
    expect(await memory.claim("a", 5 * MINUTE)).toBe("new");
    expect(await memory.claim("a", 6 * MINUTE)).toBe("running");
  });

  test("forgets events after a time", async () => {
    const memory = create({ keep: MINUTE });
    await memory.claim("a", 0);
    await memory.complete("a", 0);
    expect([await memory.claim("a", MINUTE - 1), await memory.claim("a", MINUTE)]).toEqual(["done", "new"]);
  });
});

test("a memory in the process keeps at most as many events as allowed, the newest ones", async () => {
  const memory = createEventMemory({ max: 2 });
  for (const id of ["a", "b", "c"]) {
    await memory.claim(id, 0);
    await memory.complete(id, 0);
  }
  expect([await memory.claim("c", 1), await memory.claim("b", 1), await memory.claim("a", 1)]).toEqual([
    "done",
    "done",
    "new",
  ]);
});

test("a memory in SQLite is shared, and removes the oldest events above its limit", async () => {
  const database = openDatabase();
  const count = (): number => {
    const [row] = database.prepare("select count(*) as count from tenon_handled_events").all() as {
      count: number;
    }[];
    return row?.count ?? 0;
  };
  const memory = createSqliteEventMemory(database, { max: 50, keep: MINUTE });
  for (let index = 0; index < 101; index += 1) {
    await memory.claim(`a${index}`, index);
    await memory.complete(`a${index}`, index);
  }
  expect(count()).toBe(50);
  expect(await createSqliteEventMemory(database).claim("a99", 200)).toBe("done");
});
