import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject, toContract } from "../load/project.js";
import { createRepository } from "./repository.js";
import { runIn } from "./run.js";

const CONTRACT = toContract("paths: {}\n");

/** Replaces an object of a repository by a text that is none. */
function corrupt(folder: string, object: string): void {
  const file = join(folder, ".git/objects", object.slice(0, 2), object.slice(2));
  rmSync(file);
  writeFileSync(file, "x");
}

describe("a problem around the contract is told in a line", () => {
  test.each([
    ["mock", "not a host", 'Cannot resolve host "not a host".'],
    ["docs --serve", "not a host", 'Cannot resolve host "not a host".'],
    // An address of documentation (RFC 5737), so no machine has it.
    ["mock", "192.0.2.1", "192.0.2.1 is not an address of this machine."],
  ])("%s --host %j", async (command, host, message) => {
    const folder = createProject({ "openapi.yaml": CONTRACT });
    const { exitCode, stderr } = await runIn(folder, ...command.split(" "), "--port", "0", "--host", host);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test("diff with a broken index", async () => {
    const { folder, commit } = createRepository({ "openapi.yaml": CONTRACT });
    commit({});
    writeFileSync(join(folder, "openapi.yaml"), toContract("paths: {}\nservers: []\n"));
    writeFileSync(
      join(folder, "redocly.yaml"),
      "apis: { v1: { root: new.yaml, x-tenon: { output: generated } } }\n",
    );
    writeFileSync(join(folder, "new.yaml"), CONTRACT);
    writeFileSync(join(folder, ".git/index"), "x");
    const { exitCode, stderr } = await runIn(folder, "diff", "HEAD");
    expect(stderr).toMatch(/git cannot compare the files with HEAD: .*index/);
    expect(exitCode).toBe(2);
  });

  test("diff with a file that git cannot read", async () => {
    const { folder, git, commit } = createRepository({ "openapi.yaml": CONTRACT });
    commit({});
    corrupt(folder, git("rev-parse", "HEAD:openapi.yaml").trim());
    const { exitCode, stdout, stderr } = await runIn(folder, "diff", "HEAD");
    expect(stdout + stderr).toMatch(/git cannot read it: /);
    expect(stdout + stderr).not.toContain("no such file");
    expect(exitCode).not.toBe(0);
  });
});

// Windows has no named pipes in folders.
(process.platform === "win32" ? test.skip : test).each([
  "lint",
  "generate",
  "docs",
  "diff openapi.yaml --api v1",
])("a reference to a pipe does not wait for it: %s", async (command) => {
  const folder = createProject({ "openapi.yaml": toContract("paths:\n  /a: { $ref: pipe.yaml }\n") });
  execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
  const { exitCode, stdout, stderr } = await runIn(folder, ...command.split(" "));
  expect(stdout + stderr).toContain("it is not a regular file");
  expect(exitCode).toBe(1);
});

(existsSync("/proc") ? test : test.skip).each(["docs --out", "init"])(
  "a folder where none can be created is an error: %s /proc/x",
  async (command) => {
    const folder = createProject({ "openapi.yaml": CONTRACT });
    const { exitCode, stderr } = await runIn(folder, ...command.split(" "), "/proc/tenon-test");
    expect(stderr).toContain("cannot be created");
    expect(exitCode).toBe(2);
    expect(readdirSync("/proc")).not.toContain("tenon-test");
  },
);
