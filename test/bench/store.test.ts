// @thorough: runs a benchmark.
import { expect, test } from "@jest/globals";
import { measureStore } from "../../scripts/bench/store.js";
import { createDirectory } from "../support/directory.js";

test("the store's benchmark has a figure a round for full pages and for creations, of every size", async () => {
  const sizes = [200, 1_000];
  const { pages, creations, bytes } = await measureStore({
    sizes,
    folder: createDirectory(),
    rounds: 2,
    pagesPerRound: 2,
    milliseconds: 20,
  });
  expect(pages.map(({ pets, place, filtered }) => [pets, place, filtered])).toStrictEqual(
    sizes.flatMap((size) =>
      [false, true].flatMap((filtered) =>
        ["first", "middle", "last"].map((place) => [size, place, filtered]),
      ),
    ),
  );
  for (const { times } of pages) expect(times).toHaveLength(2);
  for (const { writers, perSecond, perCommit } of creations) {
    expect(perSecond).toHaveLength(2);
    // How many writers share a commit depends on the machine.
    for (const count of perCommit) expect(count).toBeGreaterThanOrEqual(1);
    for (const count of perCommit) expect(count).toBeLessThanOrEqual(writers);
  }
  expect(bytes).toHaveLength(2);
});
