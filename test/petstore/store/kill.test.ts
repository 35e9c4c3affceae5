// @thorough: kills services in the middle of writes.
import { expect, test } from "@jest/globals";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { describeEngines } from "./engines.js";
import { forkScript } from "./fork-script.js";

const ROUNDS = 4;

describeEngines((engine) => {
  test("every acknowledged animal survives kill -9", async () => {
    const url = await engine.create();
    const acknowledged: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const writer = forkScript("acknowledging-writer.ts", [url]);
      writer.on("message", (id) => acknowledged.push(id as number));
      await once(writer, "message");
      await setTimeout(Math.random() * 200);
      writer.kill("SIGKILL");
      // After `close` no acknowledgement is under way any more.
      await once(writer, "close");

      const store = await engine.open(url);
      const lost: number[] = [];
      // One by one: thousands at once would wait for a connection for too long.
      for (const id of acknowledged) if ((await store.pets.get(id)) === undefined) lost.push(id);
      await store.close();
      expect(lost).toStrictEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(ROUNDS);
  });
});
