// @thorough: verifies the service in every phase.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type PetStore, startPetStore } from "../support/petstore.js";
import { runIn } from "../cli/commands/run.js";
import { describeEngines } from "./store/engines.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

describeEngines((engine) => {
  let store: PetStore;

  beforeAll(async () => {
    store = await startPetStore({ env: { DATABASE_URL: await engine.create() } });
  });

  afterAll(() => store.stop());

  test.each(["1", "2", "3"])(
    "the service keeps its contract, as far as tenon verify sees with seed %s",
    async (seed) => {
      const { exitCode, stdout } = await runIn(
        ROOT,
        ...["verify", store.url, "--auth", `bearerAuth=${store.key}`, "--seed", seed, "--max-time", "600"],
      );
      expect(stdout).toContain("No mismatches found");
      expect(stdout).not.toContain("note:");
      // Each operation was let through, and asked for what it has to refuse.
      expect(stdout).toMatch(/^ {2}listPets {4}200 × \d+ {2}400 × \d+ {2}401 × \d+$/m);
      expect(stdout).toMatch(/^ {2}createPet {3}201 × \d+ {2}400 × \d+/m);
      expect(stdout).toMatch(/^ {2}getPet {6}200 × \d+ {2}400 × \d+ {2}401 × \d+ {2}404 × \d+$/m);
      expect(stdout).toMatch(/^ {2}listOrders {2}401 × \d+ {2}501 × \d+$/m);
      expect(exitCode).toBe(0);
    },
  );
});
