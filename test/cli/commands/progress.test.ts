import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { withProgress } from "../../../src/cli/output/terminal.js";
import { GIVE_UP_MS } from "../../support/until.js";

async function show(isTTY: boolean, ms: number, patience?: number): Promise<string> {
  let shown = "";
  const stderr = { isTTY, write: (text: string) => (shown += text) };
  const work = async (tell: (step: string) => void): Promise<void> => {
    tell("Generating v1");
    await sleep(ms);
    tell("Generating v2");
  };
  await withProgress({ cwd: "/", stdout: stderr, stderr, program: "tenon" }, work, patience);
  return shown;
}

test.each([
  ["what is quicker than its patience shows nothing", true, 0, GIVE_UP_MS, ""],
  [
    "on a terminal, what takes longer than half a second shows what it does and leaves nothing",
    true,
    700,
    undefined,
    "\r\u001b[KGenerating v1 …\r\u001b[KGenerating v2 …\r\u001b[K",
  ],
  ["without a terminal nothing is shown", false, 700, undefined, ""],
])("progress: %s", async (_, isTTY, ms, patience, want) => {
  expect(await show(isTTY, ms, patience)).toBe(want);
});
