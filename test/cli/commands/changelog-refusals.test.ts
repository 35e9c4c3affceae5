import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { compareTags } from "../../../src/cli/changelog/version-tags.js";
import { createProject } from "../load/project.js";
import { createHistory, LIST, toPets } from "./pets-history.js";
import { createRepository } from "./repository.js";
import { runIn } from "./run.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Tenon's command from its sources, in any folder. */
const TSX = [
  "--conditions=tenon-source",
  `--import=${pathToFileURL(join(ROOT, "node_modules/tsx/dist/loader.mjs")).href}`,
  join(ROOT, "scripts/tenon.ts"),
];

describe("tenon changelog says what is missing", () => {
  const tell = async (folder: string, ...argv: string[]) => {
    const { exitCode, stdout, stderr } = await runIn(folder, "changelog", ...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    return stderr;
  };

  test("a repository, a commit, a version", async () => {
    expect(await tell(createProject({ "openapi.yaml": toPets("1.0.0", LIST) }))).toContain(
      "is in no git repository",
    );
    const { folder, commit } = createRepository({ "openapi.yaml": toPets("1.0.0", LIST) });
    expect(await tell(folder)).toContain("this repository has no commit yet");
    commit({});
    expect(await tell(folder)).toContain("There is no version tag, such as v1.2.0");
    expect(await tell(folder, "--tags", "v*")).toContain('No tag in the history of HEAD is as "v*"');
  });

  test("git", () => {
    const { folder } = createHistory();
    // Of a process of its own: only there is it without one.
    const { status, stderr } = spawnSync(process.execPath, [...TSX, "changelog"], {
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
    expect(await tell(repository.folder, "..HEAD")).toContain("No revision of the range has openapi.yaml");
  });

  test.each([
    ["v1.0.0", '"v1.0.0" is no range'],
    ["v1.0.0...v2.0.0", '"v1.0.0...v2.0.0" is no range'],
    ["v1.0.0..nowhere", '"nowhere" is no revision that git knows'],
    ["--output=x..", '"--output=x" is no revision that git knows'],
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
    expect(await tell(join(clone, "shallow"))).toContain('"git fetch --unshallow --tags" fetches the rest');
    expect(await runIn(join(clone, "shallow"), "changelog", "HEAD..")).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("This clone is shallow"),
    });
  });
});

test("versions are ordered by their numbers, and pre-releases come before their release", () => {
  const ordered = [
    "v0.9",
    "v1.0.0-alpha",
    "v1.0.0-alpha.1",
    "v1.0.0-alpha.beta",
    "v1.0.0-beta.2",
    "v1.0.0-beta.11",
    "v1.0.0",
    "pets@1.0.1",
    "v1.9.0",
    "v1.10.0",
  ];
  expect([...ordered].reverse().sort(compareTags)).toEqual(ordered);
});
