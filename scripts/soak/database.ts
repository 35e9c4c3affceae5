import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keys } from "../../src/petstore/keys/keys.js";
import { openStore } from "../../src/petstore/store/open.js";
import type { Workspace } from "../bench/http/workspace.js";

/** A database with animals and one key, in a temporary folder. */
export async function createDatabase(pets: number): Promise<Omit<Workspace, "root">> {
  const temporary = mkdtempSync(join(tmpdir(), "tenon-soak-"));
  const database = join(temporary, "seed.db");
  const store = await openStore(`sqlite:${database}`);
  const { key } = await new Keys(store.keys).issue({ name: "soak" });
  await Promise.all(
    Array.from({ length: pets }, (_, index) =>
      store.pets.create({ name: `Pet number ${index + 1}`, categoryId: 1, status: "available" }),
    ),
  );
  await store.close();
  return { servers: "", temporary, database, key };
}
