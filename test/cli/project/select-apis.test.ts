import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { findContracts } from "../../../src/cli/docs/index.js";
import { findContract } from "../../../src/cli/project/index.js";
import { createProject, toContract } from "../load/project.js";

const CONTRACT = toContract("paths: {}\n");

/** `tenon mock` and `tenon verify` use the first, `tenon docs` the second. */
const COMMANDS = {
  findContract: async (named: string, cwd: string) => (await findContract(named, cwd)).root,
  findContracts: async (named: string, cwd: string) => (await findContracts([named], cwd))[0]?.root,
};

describe.each(Object.entries(COMMANDS))("%s", (_, find) => {
  const createFolder = (files: Readonly<Record<string, string>> = {}) => {
    const cwd = createProject({ "openapi.yaml": CONTRACT, ...files });
    mkdirSync(join(cwd, "v1"), { recursive: true });
    return cwd;
  };

  test("a folder with the name of an API is not a file", async () => {
    const cwd = createFolder();
    expect(await find("v1", cwd)).toBe(join(cwd, "openapi.yaml"));
  });

  test("a file is taken before an API of the same name, and a path is always a file", async () => {
    const cwd = createProject({ "openapi.yaml": CONTRACT, v1: CONTRACT });
    expect(await find("v1", cwd)).toBe(join(cwd, "v1"));
    expect(await find("./openapi.yaml", cwd)).toBe(join(cwd, "openapi.yaml"));
  });

  test.each(["./v1", "v1/"])("%s is a folder, and the message asks for a file", async (named) => {
    await expect(find(named, createFolder())).rejects.toThrow(`${named} is a folder; name a file in it.`);
  });

  test.each(["v1/none.yaml", "openapi.yaml/x"])("%s does not exist", async (named) => {
    await expect(find(named, createFolder())).rejects.toThrow(`There is no file ${named}.`);
  });

  test("an unknown API is not a file either", async () => {
    await expect(find("v2", createFolder())).rejects.toThrow('Unknown API "v2"');
  });
});
