// @thorough, 60 s: replays the writes of a service up to each power cut.
import { realpathSync } from "node:fs";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createDirectory } from "../support/directory.js";
import { powerCuts, type PowerCutReport } from "../support/faults/power-cut.js";
import { toSource } from "../support/faults/service.js";
import { findTraceProblem } from "../support/faults/trace.js";
import { endProcesses } from "../support/process-group.js";

afterEach(endProcesses);

const problem = findTraceProblem();
if (problem !== undefined) {
  process.stderr.write(
    `\nNo process can be traced (${problem}): the simulated power cut is SKIPPED. Install the Debian package strace.\n\n`,
  );
}

const cut = (main?: string): Promise<PowerCutReport> =>
  powerCuts({
    cuts: 60,
    creations: 400,
    seed: 7,
    folder: realpathSync(createDirectory()),
    argv: toSource(main),
  });

(problem === undefined ? describe : describe.skip)("a power cut", () => {
  test("loses nothing that was answered, whatever the disk kept of what was not synced", async () => {
    const report = await cut();
    expect(report).toMatchObject({ cuts: 60, damaged: 0, problems: [] });
    // One commit for 4 writers at least.
    expect(report.syncs).toBeGreaterThan(100);
  });

  test("is found to lose what was not synced before it was answered", async () => {
    const { cutsWithLoss } = await cut("test/faults/entries/normal-synchronous.ts");
    expect(cutsWithLoss.nothing).toBeGreaterThan(10);
    expect(cutsWithLoss.writes).toBeGreaterThan(5);
    expect(cutsWithLoss.sectors).toBeGreaterThan(5);
  });
});
