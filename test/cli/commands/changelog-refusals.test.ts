// @thorough: makes a repository for every refusal.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "@jest/globals";
import { createProject } from "../load/project.js";
import { toPackedCommand } from "./packed.js";
import { createHistory, LIST, toPets } from "./pets-history.js";
import { createRepository } from "./repository.js";
import { runIn } from "./run.js";

describe("tenon changelog says what is missing", () => {
  const tell = async (folder: string, ...argv: string[]) => {
    const { exitCode, stdout, stderr } = await runIn(folder, "changelog", ...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    return stderr;
  };

  test("a repository, a commit, a version", async () => {
    expect(await tell(createProject({ "openapi.yaml": toPets("1.0.0", LIST) }))).toContain(
      "is not in a git repository",
    );
    const { folder, commit } = createRepository({ "openapi.yaml": toPets("1.0.0", LIST) });
    expect(await tell(folder)).toContain("this repository has no commit yet");
    commit({});
    expect(await tell(folder)).toContain("The history of HEAD has no version tag such as v1.2.0");
    expect(await tell(folder, "--tags", "v*")).toContain('The history of HEAD has no tag that matches "v*"');
  });

  test("git", () => {
    const { folder } = createHistory();
    // Of a process of its own: only there is it without one.
    const { status, stderr } = spawnSync(process.execPath, [toPackedCommand(), "changelog"], {
      cwd: folder,
      env: { PATH: folder },
      encoding: "utf8",
    });
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("git is not installed"),
    });
  });

  test("a contract in the range", async () => {
    const repository = createRepository();
    repository.commit({ "README.md": "Soon.\n" });
    expect(await tell(repository.folder, "..HEAD")).toContain(
      "No revision in the range contains openapi.yaml",
    );
  });

  test.each([
    ["v1.0.0", '"v1.0.0" is not a range'],
    ["v1.0.0...v2.0.0", '"v1.0.0...v2.0.0" is not a range'],
    ["v1.0.0..nowhere", '"nowhere" is not a git revision'],
    ["--output=x..", '"--output=x" is not a git revision'],
  ])("in the range %s", async (range, told) => {
    expect(await tell(createHistory().folder, "--", range)).toContain(told);
  });

  test("a format", async () => {
    expect(await tell(createHistory().folder, "--out", "CHANGES")).toContain("end it in .md, .json or .html");
  });

  test("the rest of a shallow clone", async () => {
    const { folder } = createHistory();
    const clone = createProject({});
    execFileSync("git", ["clone", "-q", "--depth=1", `file://${folder}`, join(clone, "shallow")]);
    expect(await tell(join(clone, "shallow"))).toContain('Run "git fetch --unshallow --tags"');
    expect(await runIn(join(clone, "shallow"), "changelog", "HEAD..")).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("This clone is shallow"),
    });
  });
});
