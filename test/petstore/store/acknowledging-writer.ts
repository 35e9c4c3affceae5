/** Child process of `kill.test.ts`: creates animals, 8 at a time, and reports the `id` of each acknowledged one. */
import process from "node:process";
import { openStore } from "../../../src/petstore/store/open.js";

const store = await openStore(process.argv[2] ?? "");

async function write(): Promise<never> {
  for (;;) {
    const { id } = await store.pets.create({ name: "Rex", categoryId: 1 });
    process.send?.(id);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
