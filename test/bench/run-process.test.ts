import { describe, expect, test } from "@jest/globals";
import { tmpdir } from "node:os";
import process from "node:process";
import { runProcess } from "../../scripts/bench/run-process.js";

/** Works until the operating system has counted this processor time, in milliseconds. */
const WORK = 500;
const CHILD = `
  const isDone = () => { const { user, system } = process.cpuUsage(); return user + system > ${WORK}e3; };
  while (!isDone());
  process.send("done");`;

/** Makes a child wait for its end: without a listener, the channel does not keep it running. */
const WAIT = 'process.once("disconnect", () => undefined);';

/** A script whose child works, and is ended by a signal, or by nothing, before the script ends. */
const toParent = (end: string) => `
  const child = require("node:child_process").spawn(process.execPath, ["--eval", ${JSON.stringify(end.includes("kill") ? WAIT + CHILD : CHILD)}], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.once("message", () => { ${end} });`;

/** Blocks the event loop, which would reap the child, until the child has reported its end. */
const EXIT_BEFORE_CHILD_IS_REAPED = `
  child.disconnect();
  const isReported = () => /\\{/.test(require("node:fs").readFileSync(process.env.BENCH_USAGE, "utf8"));
  while (!isReported());
  process.exit();`;

const run = (end: string) => runProcess(["--eval", toParent(end)], tmpdir());

// Only POSIX systems count the work of descendants.
const describeOnPosix = process.platform === "win32" ? describe.skip : describe;

describeOnPosix("the usage of a process", () => {
  test("includes the work and the memory of a child that is killed", () => {
    const alone = runProcess(["--eval", ""], tmpdir());
    const both = run("child.kill()");
    expect(both.status).toBe(0);
    // The system counts in hundredths of a second.
    expect(both.work).toBeGreaterThan(WORK - 20);
    expect(both.memory).toBeGreaterThan(1.5 * alone.memory);
  });

  test("includes the work of a child that ends by itself", () => {
    expect(run("child.disconnect()").work).toBeGreaterThan(WORK - 20);
  });

  test.each([
    ["could not report", 'child.kill("SIGKILL")', "1 of the processes did not report"],
    ["was not waited for", EXIT_BEFORE_CHILD_IS_REAPED, "did not wait for"],
  ])("is refused when a process %s", (_, end, message) => {
    expect(() => run(end)).toThrow(message);
  });
});

test("reports the exit code and the error output", () => {
  const { status, stderr } = runProcess(["--eval", "console.error('no'); process.exit(3)"], tmpdir());
  expect([status, stderr]).toEqual([3, "no\n"]);
});
