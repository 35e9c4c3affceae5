import { expect, test } from "@jest/globals";
import { format } from "prettier";
import { SCENARIO_NAMES } from "../../scripts/bench/http/scenarios.js";
import { SERVERS, SETTINGS, type Slice } from "../../scripts/bench/without-sockets/measure.js";
import { formatPage } from "../../scripts/bench/without-sockets/page.js";

test("the page compares both servers within each round, as Prettier formats it", async () => {
  const slices = SETTINGS.flatMap((setting) =>
    SERVERS.flatMap((server) =>
      SCENARIO_NAMES.flatMap((scenario) =>
        [0, 1].map((round): Slice => {
          const cpu = server === "tenon" ? 40 : round === 0 ? 44 : 40;
          return { node: "20.20.2", setting, server, scenario, round, cpu };
        }),
      ),
    ),
  );
  const page = formatPage(slices, { rounds: 2, seconds: 0.5 });
  expect(page).toBe(await format(page, { parser: "markdown", printWidth: 110 }));
  expect(page.match(/\| 1\.05 \(1\.00–1\.10\): 40, 42 /g)).toHaveLength(
    SETTINGS.length * SCENARIO_NAMES.length,
  );
});
