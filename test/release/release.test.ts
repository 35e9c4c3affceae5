// @thorough: makes a release of a copy of the repository.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";

const SCRIPT = fileURLToPath(new URL("../../scripts/release.ts", import.meta.url));
const LOADER = import.meta.resolve("tsx");

const CHANGELOG = "# Changelog\n\n## Unreleased\n\n- More.\n\n## 0.1.0 (2026-01-02)\n\n- All.\n";

/** Manifests of a repository with the packages that a release publishes, and a service that it does not. */
const MANIFESTS = {
  "": { name: "repository", private: true, workspaces: ["src/tenon", "src/cli", "src/petstore"] },
  "src/tenon": { name: "tenon" },
  "src/cli": { name: "@tenon/cli", peerDependencies: { tenon: "0.1.0", tsx: "^4.20.0" } },
  "src/petstore": { name: "petstore", private: true, dependencies: { tenon: "0.1.0", pg: "8.0.0" } },
};

/** Files that name the version, at 0.1.0. */
const TEXTS = {
  "README.md": "`npm pack` makes tenon-0.1.0.tgz and tenon-cli-0.1.0.tgz.\n",
  "src/tenon/core/version/index.ts": 'export const VERSION = "0.1.0";\n',
  "generated/v1/server.ts": 'createRouter({ tenon: "0.1" });\n',
};

describe("npm run release", () => {
  let folder = "";
  const git = (...parameters: string[]) => {
    const identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];
    return execFileSync("git", [...identity, ...parameters], { cwd: folder, encoding: "utf8" }).trim();
  };
  const write = (name: string, value: unknown) => {
    const text = typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`;
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const edit = (name: string, members: object) => {
    write(name, { ...(JSON.parse(read(name)) as object), ...members });
  };
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const release = (...parameters: string[]) => {
    const identity = { GIT_AUTHOR_NAME: "Tester", GIT_AUTHOR_EMAIL: "tester@example.com" };
    const committer = { GIT_COMMITTER_NAME: "Tester", GIT_COMMITTER_EMAIL: "tester@example.com" };
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["--import", LOADER, SCRIPT, ...parameters],
      { cwd: folder, encoding: "utf8", env: { ...process.env, ...identity, ...committer, NODE_OPTIONS: "" } },
    );
    return { status, text: stdout + stderr };
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tenon-release-"));
    git("init", "--quiet");
    const packages: Record<string, object> = { "node_modules/pg": { version: "8.0.0" } };
    for (const [path, manifest] of Object.entries(MANIFESTS)) {
      packages[path] = { ...manifest, version: "0.1.0" };
      write(join(path, "package.json"), packages[path]);
    }
    write("package-lock.json", { name: "repository", version: "0.1.0", packages });
    for (const [path, text] of Object.entries(TEXTS)) write(path, text);
    write("CHANGELOG.md", CHANGELOG);
    git("add", "--all");
    git("commit", "--quiet", "--message", "all");
    git("tag", "v0.1.0");
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test("writes the day and every place of the version, commits, tags, and prints how to publish", () => {
    const { status, text } = release("minor");
    expect(text).toBe("v0.2.0 is committed and tagged. To publish it:\n  git push --follow-tags\n");
    expect(status).toBe(0);
    expect(read("CHANGELOG.md")).toMatch(
      /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- More\.\n\n## 0\.1\.0 /,
    );
    const { packages, version } = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<Record<string, object>>;
      readonly version: string;
    };
    expect(version).toBe("0.2.0");
    for (const [path, manifest] of Object.entries(MANIFESTS)) {
      const want = JSON.parse(
        JSON.stringify({ ...manifest, version: "0.2.0" }).replaceAll('"tenon":"0.1.0"', '"tenon":"0.2.0"'),
      ) as object;
      expect(JSON.parse(read(join(path, "package.json")))).toEqual(want);
      expect(packages[path]).toEqual(want);
    }
    expect(packages["node_modules/pg"]).toEqual({ version: "8.0.0" });
    for (const [path, text] of Object.entries(TEXTS))
      expect(read(path)).toBe(text.replaceAll("0.1.0", "0.2.0").replace('"0.1"', '"0.2"'));
    expect(git("status", "--porcelain")).toBe("");
    // Only an annotated tag goes with `git push --follow-tags`.
    expect(git("cat-file", "-t", "v0.2.0")).toBe("tag");
    expect(git("log", "--format=%s", "-1", "v0.2.0")).toBe("release: 0.2.0");
  });

  test("the first release may have the version that package.json has", () => {
    git("tag", "--delete", "v0.1.0");
    expect(release("0.1.0")).toMatchObject({ status: 0 });
  });

  test("what breaks has a version that says so", () => {
    write("CHANGELOG.md", CHANGELOG.replace("- More.", "- **Breaking:** `reply` is gone."));
    git("commit", "--quiet", "--all", "--message", "more");
    expect(release("patch")).toEqual({
      status: 1,
      text: "0.1.1 is too low: CHANGELOG.md says that something breaks, so that it has to be 0.2.0 or higher.\n",
    });
    expect(release("0.2.0")).toMatchObject({ status: 0 });
  });

  test.each([
    ["0.0.9", "0.0.9 is too low: 0.1.0 is released, so that it has to be 0.1.1 or higher.\n"],
    ["0.1.0", "0.1.0 is too low: 0.1.0 is released, so that it has to be 0.1.1 or higher.\n"],
    ["soon", "soon is neither major, minor nor patch, nor a version like 1.2.3.\n"],
    ["--force", "--force is neither major, minor nor patch, nor a version like 1.2.3.\n"],
  ])("refuses %s, and changes nothing", (wanted, text) => {
    expect(release(wanted)).toEqual({ status: 1, text });
    expect(git("status", "--porcelain")).toBe("");
    expect(git("tag")).toBe("v0.1.0");
  });

  test("refuses what is not committed, and a release of nothing", () => {
    write("CHANGELOG.md", CHANGELOG.replace("- More.\n\n", ""));
    expect(release("patch").text).toMatch(/^There are changes that are not committed/);
    git("commit", "--quiet", "--all", "--message", "less");
    expect(release("patch").text).toBe(
      'CHANGELOG.md has nothing below "Unreleased": there is nothing to release.\n',
    );
  });

  test("only the commit of a release may be published, from where provenance can be proved", () => {
    release("minor");
    expect(release("--check").text).toMatch(/^src\/tenon\/package\.json has no "repository"/);
    const repository = { url: "git+https://example.com/a.git" };
    for (const path of ["src/tenon", "src/cli"]) edit(join(path, "package.json"), { repository });
    expect(release("--check")).toEqual({ status: 0, text: "" });
    edit("src/petstore/package.json", { version: "0.1.0" });
    expect(release("--check")).toEqual({
      status: 1,
      text: "src/petstore/package.json has version 0.1.0, and package.json 0.2.0.\n",
    });
    git("commit", "--quiet", "--all", "--message", "after");
    expect(release("--check")).toEqual({
      status: 1,
      text: 'This commit has no tag v0.2.0: make one by "npm run release".\n',
    });
  });
});
