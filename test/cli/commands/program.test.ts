import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { VERSION } from "../../../src/tenon/core/version/index.js";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { runIn } from "./run.js";

const MAIN = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

const COMMANDS = [
  "init",
  "lint",
  "generate",
  "stubs",
  "rename",
  "diff",
  "changelog",
  "coverage",
  "verify",
  "webhook",
  "mock",
  "mcp",
  "docs",
  "dev",
  "explain",
  "completion",
];

describe("tenon", () => {
  test("--help names every command", async () => {
    const { exitCode, stdout, stderr } = await runIn(createProject({}), "--help");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const listed = [...stdout.matchAll(/^ {2}(\w+) [[<]/gm)].map(([, name]) => name);
    expect(listed).toEqual(COMMANDS);
  });

  test("-h is short for --help, also of a command", async () => {
    const project = createProject({});
    for (const command of [[], ["lint"]])
      expect(await runIn(project, ...command, "-h")).toEqual(await runIn(project, ...command, "--help"));
  });

  test.each(COMMANDS)("%s --help shows an example", async (command) => {
    const { exitCode, stdout, stderr } = await runIn(createProject({}), command, "--help");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain(`\nExample:\n  tenon ${command}`);
  });

  test.each(["--version", "-v", "-V"])("%s prints the package's version", async (option) => {
    expect(await runIn(createProject({}), option)).toEqual({
      exitCode: 0,
      stdout: `${VERSION}\n`,
      stderr: "",
    });
  });

  test.each([
    [[], /Usage: tenon/],
    [["generat"], /unknown command 'generat'\n\(Did you mean generate\?\)\nRun "tenon --help"/],
    [["constructor"], /unknown command 'constructor'/],
    [["--verbose"], /unknown option '--verbose'/],
    [
      ["generate", "--chekc"],
      /unknown option '--chekc'\n\(Did you mean --check\?\)\nRun "tenon generate --help"/,
    ],
    [["generate", "--check=yes"], /unknown option '--check=yes'|does not take/],
    [["generate", "--api", "v9"], /Unknown API "v9": redocly.yaml has an output for v1\.\n$/],
    [["lint", "--api", "v9"], /Unknown API "v9"/],
    [["lint", "--max-warnings"], /'--max-warnings <number>' argument missing/],
    [["lint", "--max-warnings", "-1"], /argument '-1' is invalid\. It must be 0 or more/],
    [["lint", "--max-warnings", "1e3"], /argument '1e3' is invalid/],
    [["stubs", "--api", "v9"], /Unknown API "v9"/],
    [["lint", "v1"], /too many arguments.*\n.*--api before its name\.\n/],
    [["init", "a", "b"], /too many arguments/],
    [["dev", "more"], /too many arguments/],
    [["dev"], /Add `main: src\/main\.ts` to x-tenon/],
    [["dev", "--main", "src/none.ts"], /src\/none\.ts does not exist/],
    [["dev", "--main", "main.ts"], /Cannot find a tsconfig\.json beside or above main\.ts/],
  ])("%j exits 2 and says what to do", async (argv, want) => {
    const folder = createProject({ "openapi.yaml": toContract("paths: {}\n"), "main.ts": "" });
    const { exitCode, stdout, stderr } = await runIn(folder, ...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(want);
  });

  test.each(["lint", "generate", "stubs", "dev"])("%s says where redocly.yaml is", async (command) => {
    const folder = createProject({ "src/deep/a.ts": "" });
    expect(await runIn(join(folder, "src/deep"), command)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("run this in ../.., which has one"),
    });
    rmSync(join(folder, "redocly.yaml"));
    expect(await runIn(folder, command)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'There is no redocly.yaml in this folder. Create one that names the contracts, or create a service with "init"',
      ),
    });
  });

  test.each([
    ["Animals", "animals"],
    ["animal", "animals"],
    ["aniamls", "animals"],
    ["anomals", "animals"],
    ["V1", "v1"],
    ["vehicles", undefined],
    ["v2", undefined],
  ])("an API that is called %s is taken for %s", async (name, meant) => {
    const animals = "  animals:\n    root: a.yaml\n    x-tenon: { output: animals }\nrules:";
    const folder = createProject({ "redocly.yaml": REDOCLY.replace("rules:", animals) });
    const { stderr } = await runIn(folder, "lint", "--api", name);
    expect(/Did you mean (.*)\?/.exec(stderr)?.[1]).toBe(meant);
  });

  test("goes on, and ends as it would, when nobody reads any more", async () => {
    const folder = createProject({ "openapi.yaml": toContract("paths: {}\n") });
    const child = spawn(process.execPath, ["--conditions=tenon-source", "--import", TSX, MAIN, "generate"], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
    const [code] = (await once(child, "close")) as [number | null];
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(existsSync(join(folder, "generated/client.ts"))).toBe(true);
  });

  test("an API that has no output is told what it lacks", async () => {
    const redocly = REDOCLY.replace("rules:", "  v4: { root: openapi.yaml }\nrules:");
    const { exitCode, stderr } = await runIn(
      createProject({ "redocly.yaml": redocly }),
      "lint",
      "--api",
      "v4",
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/API "v4" has no output: add x-tenon: \{ output: generated\/v4 \} to it/);
  });

  test.each(["lint", "generate", "stubs"])(
    "%s tells what is wrong with redocly.yaml and exits 1",
    async (command) => {
      const folder = createProject({ "redocly.yaml": "apis: {}\n" });
      expect(await runIn(folder, command)).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: expect.stringMatching(/^redocly\.yaml:1:1 {2}config-missing {2}/),
      });
      const { exitCode, stdout, stderr } = await runIn(folder, command, "--json");
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({
        problems: [{ code: "config-missing", file: "redocly.yaml" }],
      });
    },
  );
});
