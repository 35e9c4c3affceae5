import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { runIn } from "./run.js";

const CONTRACT = toContract(
  "paths:\n  /pets:\n    get: { operationId: listPets, tags: [pets], responses: { '204': { description: None. } } }\n",
);
const TWO = REDOCLY.replace("output: generated", "output: generated, handlers: src/handlers").replace(
  "rules:",
  "  v2:\n    root: openapi.yaml\n    x-tenon: { output: second, handlers: src/handlers2 }\nrules:",
);

/** Every file of a folder, below it too. */
const list = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));

const create = () => createProject({ "redocly.yaml": TWO, "openapi.yaml": CONTRACT });

describe("what cannot be written is told in a line, with exit code 2, and nothing else is written", () => {
  test.each([
    ["generate", "a file in place of the folder", "second", false],
    ["generate", "a folder in place of a file", "second/server.ts", true],
    ["stubs", "a file in place of the folder", "src/handlers2", false],
    ["stubs", "a folder in place of a file", "src/handlers2/pets.ts", true],
    ["init my", "a file in place of the folder", "my", false],
  ])("tenon %s: %s", async (command, _, path, isFolder) => {
    const folder = create();
    mkdirSync(join(folder, path, ".."), { recursive: true });
    if (isFolder) mkdirSync(join(folder, path));
    else writeFileSync(join(folder, path), "mine");
    const before = list(folder);
    const { exitCode, stdout, stderr } = await runIn(folder, ...command.split(" "));
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^Cannot write ${path}\\S*: [^;\\n]+; [^\\n]+\\n$`));
    expect(list(folder)).toEqual(before);
  });

  (existsSync("/dev/full") ? test : test.skip)("tenon generate: a full disk", async () => {
    const folder = create();
    await runIn(folder, "generate");
    writeFileSync(join(folder, "openapi.yaml"), CONTRACT.replace("None.", "Nothing."));
    const path = join(folder, "second/contract.json");
    const before = readFileSync(path, "utf8");
    symlinkSync("/dev/full", `${path}.${process.pid}.tmp`);
    expect(await runIn(folder, "generate")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "Cannot write second/contract.json: no space is left on the device; make some\n",
    });
    for (const output of ["generated", "second"])
      expect(readFileSync(join(folder, output, "contract.json"), "utf8")).toBe(before);
    expect(list(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
