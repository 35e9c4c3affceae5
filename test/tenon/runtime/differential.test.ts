// @thorough: compares servers by thousands of requests.
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { CONTRACTS, FIXTURES, LEFT_OUT, REFUSED } from "../../support/differential/contracts.js";
import { INTENDED, explain } from "../../support/differential/differences.js";
import { EXAMPLES } from "../../support/differential/examples.js";
import { type Pairs, startPairs } from "../../support/differential/pairs.js";
import { isSame, runDifferential } from "../../support/differential/run.js";
import { toCount } from "../../support/to-count.js";

// The long run is `npm run test:long -- differential`, which takes the seed that a failure here prints.
test("the runtime accepts, refuses and reads as plain express-openapi-validator does, save on purpose", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const requests = toCount(2000);
  const run = await runDifferential({ requests, seed });
  expect(run.failures.join("\n")).toBe("");
  expect(run.requests).toBeGreaterThanOrEqual(requests);
  expect(Math.min(run.accepted, run.refused)).toBeGreaterThan(run.requests / 5);
});

describe("what is compared", () => {
  let pairs: Pairs;
  beforeAll(async () => {
    pairs = await startPairs();
  });
  afterAll(async () => {
    await pairs.stop();
  });

  test("each intended difference has an example, and nothing else has", () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(INTENDED.map(({ name }) => name).sort());
  });

  test.each(Object.entries(EXAMPLES))(
    "the difference occurs: %s",
    async (name, { request, ours, theirs }) => {
      const observed = { request, ...(await pairs.ask(request)) };
      expect(observed).toMatchObject({ ours: { status: ours }, theirs: { status: theirs } });
      expect(isSame(observed)).toBe(false);
      expect(explain(observed)?.name).toBe(name);
    },
  );

  test("every fixture is compared, or named with the reason why not", () => {
    const names = CONTRACTS.map(({ name }) => name).filter((name) => name !== "petstore");
    const all = [...names, ...Object.keys(REFUSED), ...Object.keys(LEFT_OUT)];
    expect(all.sort()).toEqual(readdirSync(FIXTURES).sort());
  });

  test.each(Object.keys(REFUSED))("plain express-openapi-validator cannot load %s", async (name) => {
    // Where a contract is loaded, a path that is not in it is 404.
    expect(await pairs.askPlain(name, "/no/such/path")).toEqual({ status: 500 });
  });
});
