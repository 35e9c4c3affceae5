// @thorough: installs versions of packages.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { VERSION } from "../../../src/tenon/core/version/index.js";
import { createDirectory } from "../../support/directory.js";
import { packTenon } from "./packed.js";

/** A folder with the packed `@tenon/cli` and what it depends on, and without `tenon`. */
let folder: string;
beforeAll(() => {
  folder = createDirectory();
  const { modules } = packTenon();
  const target = join(folder, "node_modules");
  mkdirSync(target);
  for (const name of readdirSync(modules).filter((entry) => !["tenon", "@tenon"].includes(entry)))
    symlinkSync(join(modules, name), join(target, name));
  // A link would lead to the folder where `tenon` is.
  cpSync(join(modules, "@tenon"), join(target, "@tenon"), { recursive: true });
});

function run(...argv: string[]): { readonly status: number | null; readonly text: string } {
  const main = join(folder, "node_modules/@tenon/cli/dist/main.js");
  const env = { ...process.env, NODE_OPTIONS: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...argv], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

const NEEDED = `@tenon/cli ${VERSION} needs tenon ${VERSION}`;

describe("the command without tenon beside it", () => {
  test("makes a service, and prints help, its version and a shell's completion", () => {
    expect(run("init", "service")).toMatchObject({ status: 0 });
    expect(readdirSync(join(folder, "service"))).toContain("package.json");
    expect(run("--version")).toEqual({ status: 0, text: `${VERSION}\n` });
    expect(run("--help")).toMatchObject({ status: 0 });
    expect(run("completion", "bash")).toMatchObject({ status: 0 });
  });

  test("reports a failure of `init` as with tenon", () => {
    expect(run("init", ".")).toEqual({
      status: 2,
      text: expect.stringMatching(/^error: A new service needs an empty folder/) as unknown,
    });
  });

  test.each([
    ["lint"],
    ["generate", "--check"],
    ["stubs"],
    ["diff", "a.yaml", "b.yaml"],
    ["changelog"],
    ["coverage", "--", "true"],
    ["verify", "http://127.0.0.1:1"],
    ["mock"],
    ["docs"],
    ["dev"],
  ])("refuses %s in one line", (...argv) => {
    expect(run(...argv)).toEqual({
      status: 2,
      text: `${NEEDED}, but no tenon is installed beside it. Run "npm install tenon@${VERSION}".\n`,
    });
  });

  test("refuses another version of tenon", () => {
    const tenon = join(folder, "node_modules/tenon");
    mkdirSync(tenon);
    writeFileSync(join(tenon, "package.json"), JSON.stringify({ name: "tenon", version: "0.0.1" }));
    expect(run("lint")).toEqual({
      status: 2,
      text: `${NEEDED}, but tenon 0.0.1 is installed. Run "npm install tenon@${VERSION}" or "npm install --save-dev @tenon/cli@0.0.1".\n`,
    });
  });
});
