// @thorough: generates and type-checks a project.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { findOwnSource } from "../../../src/cli/init/index.js";
import { compile, installTenon } from "./compile.js";
import { runIn } from "./run.js";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-init-")));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const readManifest = (path: string) =>
  JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as {
    name: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };

describe("tenon init", () => {
  test("writes a whole service and prints exactly two commands", async () => {
    expect(await runIn(folder, "init")).toEqual({
      exitCode: 0,
      stdout: "A service is in this folder. Run it:\n\n  npm install\n  npm run dev\n",
      stderr: "",
    });
    expect(readdirSync(folder).sort()).toEqual(
      [
        ".dockerignore",
        ".gitignore",
        ".vscode",
        "AGENTS.md",
        "Dockerfile",
        "openapi",
        "package.json",
        "redocly.yaml",
        "src",
        "test",
        "tsconfig.build.json",
        "tsconfig.json",
      ].sort(),
    );
  });

  test("makes the folder that is named, and goes there in the first command", async () => {
    const { stdout } = await runIn(folder, "init", "some/My Service");
    expect(stdout).toContain('\n  cd "some/My Service"\n  npm install\n  npm run dev\n');
    const other = await runIn(folder, "init", "it's $HOME");
    expect(other.stdout).toContain(String.raw`  cd 'it'\''s $HOME'` + "\n  npm install\n");
    const flag = await runIn(folder, "init", "--", "--flag");
    expect(flag.stdout).toContain("  cd ./--flag\n  npm install\n");
    expect(readManifest(join(folder, "some/My Service")).name).toBe("my-service");
  });

  test("asks for exact versions, and for the Tenon that runs", async () => {
    await runIn(folder, "init");
    const { dependencies, devDependencies } = readManifest(folder);
    expect(dependencies["tenon"]).toMatch(/^file:.*src\/tenon$/);
    expect(devDependencies["@tenon/cli"]).toMatch(/^file:.*src\/cli$/);
    const others = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name]) => name !== "tenon" && name !== "@tenon/cli",
    );
    expect(others.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(others.length).toBeGreaterThan(4);
  });

  test.each([
    ["json", "application/json"],
    ["problem", "application/problem+json"],
  ])("with --errors %s: has no warning, generates and compiles", async (errors, mediaType) => {
    await runIn(folder, "init", "--errors", errors);
    installTenon(folder, ["express", "@types/express"]);
    // The sources of the plugin, which only the built package has as JavaScript.
    const config = join(folder, "redocly.yaml");
    const plugin = join(folder, "node_modules/@tenon/cli/lint/index.ts");
    writeFileSync(config, readFileSync(config, "utf8").replace('- "@tenon/cli/lint"', `- ${plugin}`));
    expect(await runIn(folder, "lint", "--max-warnings", "0")).toMatchObject({ exitCode: 0 });
    expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
    expect(compile(folder, ["src/main.ts", "test/notes.test.ts"])).toEqual([]);
    const server = readFileSync(join(folder, "generated/v1/server.ts"), "utf8");
    expect(/readonly errorMediaType\??: (.*);/.exec(server)?.[1]).toBe(JSON.stringify(mediaType));
  });

  test("refuses an unknown format of errors", async () => {
    const { exitCode, stderr } = await runIn(folder, "init", "--errors", "xml");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("argument 'xml' is invalid. Allowed choices are json, problem.");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("goes beside a repository that was just made", async () => {
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, "README.md"), "Mine.");
    expect(await runIn(folder, "init")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("Mine.");
  });

  test("goes beside the packages that it is to be installed from, in a folder or not", async () => {
    mkdirSync(join(folder, "vendor"));
    for (const name of ["vendor/tenon-0.1.0.tgz", "vendor/tenon-cli-0.1.0.tgz", "tenon-0.1.0.tgz"])
      writeFileSync(join(folder, name), "");
    expect(await runIn(folder, "init")).toMatchObject({ exitCode: 0 });
  });

  test.each(["vendor/left-pad-1.0.0.tgz", "vendor"])("refuses a folder with %s", async (path) => {
    mkdirSync(join(folder, "vendor"));
    if (path !== "vendor") {
      writeFileSync(join(folder, "vendor/tenon-0.1.0.tgz"), "");
      writeFileSync(join(folder, path), "");
    }
    const { stderr } = await runIn(folder, "init");
    expect(stderr).toContain("needs an empty folder, and there is already vendor.");
  });

  test("refuses a folder with something in it, and names that", async () => {
    writeFileSync(join(folder, "notes.txt"), "");
    mkdirSync(join(folder, ".git"));
    expect(await runIn(folder, "init")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "error: A new service needs an empty folder, and there is already notes.txt. Name another one.\n",
    });
    expect(existsSync(join(folder, "package.json"))).toBe(false);
  });
});

describe("findOwnSource: where the Tenon that runs came from", () => {
  const find = (resolved: string | undefined) => {
    const packages = join(folder, "cache/node_modules");
    mkdirSync(join(packages, "@tenon/cli"), { recursive: true });
    if (resolved !== undefined) {
      const lock = { packages: { "node_modules/@tenon/cli": { resolved } } };
      writeFileSync(join(packages, ".package-lock.json"), JSON.stringify(lock));
    }
    return findOwnSource(join(packages, "@tenon/cli"), join(folder, "service"), "0.1.0");
  };

  test("two tarballs in one folder", () => {
    mkdirSync(join(folder, "packages"));
    writeFileSync(join(folder, "packages/tenon-0.1.0.tgz"), "");
    expect(find("file:../packages/tenon-cli-0.1.0.tgz")).toEqual({
      tenon: "file:../packages/tenon-0.1.0.tgz",
      cli: "file:../packages/tenon-cli-0.1.0.tgz",
    });
  });

  test("a tarball whose other half is missing", () => {
    expect(() => find("file:../packages/tenon-cli-0.1.0.tgz")).toThrow(
      `tenon-cli-0.1.0.tgz needs tenon-0.1.0.tgz in the same folder: ${join(folder, "packages")}`,
    );
  });

  test.each([
    ["a registry", "https://registry.example/tenon-cli-0.1.0.tgz"],
    ["unknown", undefined],
  ])("%s", (_, resolved) => {
    expect(find(resolved)).toEqual({ tenon: "0.1.0", cli: "0.1.0" });
  });

  test("a working copy", () => {
    expect(findOwnSource(join(folder, "src/cli"), join(folder, "service"), "0.1.0")).toEqual({
      tenon: "file:../src/tenon",
      cli: "file:../src/cli",
    });
  });
});
