import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { withProgress } from "../../../src/cli/output/progress.js";

async function show(isTTY: boolean, ms: number): Promise<string> {
  let shown = "";
  const stderr = { isTTY, write: (text: string) => (shown += text) };
  await withProgress({ cwd: "/", stdout: stderr, stderr, program: "tenon" }, async (tell) => {
    tell("Generating v1");
    await sleep(ms);
    tell("Generating v2");
  });
  return shown;
}

test.each([
  ["what is quick shows nothing", true, 0, ""],
  [
    "on a terminal, what takes longer than half a second shows what it does and leaves nothing",
    true,
    700,
    "\r\u001b[KGenerating v1 …\r\u001b[KGenerating v2 …\r\u001b[K",
  ],
  ["without a terminal nothing is shown", false, 700, ""],
])("progress: %s", async (_, isTTY, ms, want) => {
  expect(await show(isTTY, ms)).toBe(want);
});
