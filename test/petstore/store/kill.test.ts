import { expect, test } from "@jest/globals";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openSqliteStore } from "../../../src/petstore/store/sqlite.js";
import { forkScript } from "./fork-script.js";
import { createDirectory } from "../../support/directory.js";

const ROUNDS = 4;

test("every acknowledged animal survives kill -9", async () => {
  const file = join(createDirectory(), "pets.db");
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const writer = forkScript("acknowledging-writer.ts", [file]);
    writer.on("message", (id) => acknowledged.push(id as number));
    await once(writer, "message");
    await setTimeout(Math.random() * 200);
    writer.kill("SIGKILL");
    // After `close` no acknowledgement is under way any more.
    await once(writer, "close");

    const store = await openSqliteStore(file);
    const kept = await Promise.all(acknowledged.map((id) => store.pets.get(id)));
    await store.close();
    expect(acknowledged.filter((_, i) => kept[i] === undefined)).toStrictEqual([]);
  }
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
}, 60_000);
