// @thorough: makes repositories with a history.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { Changelog } from "../../../src/cli/changelog/changelog.js";
import { REDOCLY } from "../load/project.js";
import { CREATE, createHistory, LIST, OK, toPets } from "./pets-history.js";
import { createRepository, type Repository } from "./repository.js";
import { runIn } from "./run.js";

const MARKDOWN = `# Changelog of Pets

## Unreleased

1 safe change since v2.0.0.

### Added

- **POST /pets**: POST /pets is new. Everything that existed before is unchanged.

## 2.0.0 (2026-04-01)

1 safe change since v1.1.1.

### Removed

- **POST /pets**: POST /pets was removed. Its announced sunset date has passed.

## 1.1.0 (2026-02-01)

1 safe change since v1.0.0.

### Added

- **POST /pets**: POST /pets is new. Everything that existed before is unchanged.

## 1.0.0 (2026-01-01)

First version in this changelog.
`;

async function readJson({ folder }: Repository, ...argv: string[]): Promise<Changelog> {
  const { exitCode, stdout, stderr } = await runIn(folder, "changelog", "--json", ...argv);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout) as Changelog;
}

const toTold = ({ versions }: Changelog) =>
  versions.map(({ version, since, changes }) => [version, since, changes.map(({ code }) => code)]);

describe("tenon changelog", () => {
  test("tells every version of the tags, and the working tree, judged by what was known then", async () => {
    const { folder, git } = createHistory();
    const { exitCode, stdout, stderr } = await runIn(folder, "changelog");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(MARKDOWN);
    // Nothing was checked out.
    expect(git("status", "--porcelain")).toBe(" M openapi.yaml\n");
  });

  test.each([
    ["v1.0.0..v1.1.0", [["1.1.0", "v1.0.0", ["operation-added"]]]],
    [
      "v1.0.0..HEAD",
      [
        ["2.0.0", "v1.1.1", ["operation-removed-after-sunset"]],
        ["1.1.0", "v1.0.0", ["operation-added"]],
      ],
    ],
    ["v2.0.0..", [["Unreleased", "v2.0.0", ["operation-added"]]]],
    ["..v1.0.0", [["1.0.0", undefined, []]]],
    ["HEAD..HEAD", []],
  ])("tells the range %s", async (range, told) => {
    expect(toTold(await readJson(createHistory(), range))).toEqual(told);
  });

  test.each([
    ["markdown", "# Changelog of Pets\n\nNo changes.\n"],
    ["html", "<p>No changes.</p>"],
  ])("says in %s that nothing changed", async (format, told) => {
    const { stdout } = await runIn(createHistory().folder, "changelog", "HEAD..HEAD", "--format", format);
    expect(stdout).toContain(told);
  });

  test("a range that ends between two versions ends there", async () => {
    const repository = createHistory();
    repository.commit({}, "2026-05-01");
    const told = toTold(await readJson(repository, "v2.0.0..main"));
    expect(told).toEqual([["main", "v2.0.0", ["operation-added"]]]);
  });

  test("takes tags of another form", async () => {
    const repository = createHistory();
    repository.git("tag", "pets@1.0.0", "v1.0.0");
    repository.git("tag", "pets@2.0.0", "v2.0.0");
    const { versions } = await readJson(repository, "..HEAD", "--tags", "pets@*");
    expect(versions.map(({ version, revision }) => [version, revision])).toEqual([
      ["2.0.0", "pets@2.0.0"],
      ["1.0.0", "pets@1.0.0"],
    ]);
  });

  test("a version that clients are to know by its tag has that name", async () => {
    const repository = createHistory();
    repository.commit({}, "2026-05-01");
    repository.git("tag", "v2.0.1");
    expect(toTold(await readJson(repository, "v2.0.0.."))).toEqual([
      ["v2.0.1", "v2.0.0", ["operation-added"]],
    ]);
  });

  test("a branch of the name of a tag is not taken for it", async () => {
    const repository = createHistory();
    repository.git("branch", "v1.1.0", "v1.0.0");
    const { versions } = await readJson(repository);
    expect(versions.map(({ version }) => version)).toEqual(["Unreleased", "2.0.0", "1.1.0", "1.0.0"]);
  });

  test("follows a contract that was renamed, with the files that it refers to", async () => {
    const repository = createRepository();
    const { folder, commit, git } = repository;
    const withLimit = LIST.replace(
      "get: {",
      'get: { parameters: [{ name: limit, in: query, schema: { $ref: "./limit.yaml" } }],',
    );
    commit({ "api/old.yaml": toPets("1.0.0", withLimit), "api/limit.yaml": "type: integer\nmaximum: 9\n" });
    git("tag", "v1.0.0");
    git("mv", "api", "contract");
    git("mv", "contract/old.yaml", "contract/new.yaml");
    commit({ "contract/limit.yaml": "type: integer\nmaximum: 8\n" });
    git("tag", "v1.1.0");
    writeFileSync(join(folder, "redocly.yaml"), REDOCLY.replace("openapi.yaml", "contract/new.yaml"));
    expect(toTold(await readJson(repository))).toEqual([
      ["v1.1.0", "v1.0.0", ["request-maximum-lowered"]],
      ["1.0.0", undefined, []],
    ]);
  });

  test("says that names are not known of a contract that was renamed and not committed", async () => {
    const { folder, git } = createHistory();
    git("mv", "openapi.yaml", "new.yaml");
    writeFileSync(join(folder, "redocly.yaml"), REDOCLY.replace("openapi.yaml", "new.yaml"));
    expect(await runIn(folder, "changelog")).toMatchObject({
      exitCode: 0,
      stderr: "new.yaml is in no commit; earlier names of it are unknown.\n",
    });
  });

  test("a version that changed nothing but its number is told as that", async () => {
    const repository = createHistory();
    repository.commit({ "openapi.yaml": toPets("2.0.1", LIST) });
    const { stdout } = await runIn(repository.folder, "changelog", "v2.0.0..");
    expect(stdout).toContain("## 2.0.1\n\nOnly the version number changed since v2.0.0.\n");
  });

  test("leaves out a version that cannot be read, and says so everywhere", async () => {
    const repository = createRepository();
    const { folder, commit, git } = repository;
    commit({ "openapi.yaml": toPets("1.0.0", LIST) });
    git("tag", "v1.0.0");
    commit({ "openapi.yaml": "openapi: 3.1.0\ninfo: {{\n" });
    git("tag", "v1.1.0");
    commit({ "openapi.yaml": toPets("1.2.0", LIST + CREATE) });
    git("tag", "v1.2.0");
    const { exitCode, stdout, stderr } = await runIn(folder, "changelog");
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^v1\.1\.0 was skipped: openapi\.yaml:\d+:1 {2}document-syntax {2}error: .+\n$/);
    expect(stdout).toContain("1 safe change since v1.0.0.");
    expect(stdout).toMatch(/\nv1\.1\.0 was skipped: openapi\.yaml:\d/);
    // One that was named is not left out.
    expect(await runIn(folder, "changelog", "v1.1.0..")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("document-syntax"),
    });
  });

  test("versions without a contract are none", async () => {
    const repository = createRepository();
    repository.commit({ "README.md": "Soon.\n" });
    repository.git("tag", "v0.1.0");
    repository.commit({ "openapi.yaml": toPets("1.0.0", LIST) });
    repository.git("tag", "v1.0.0");
    expect(toTold(await readJson(repository))).toEqual([["1.0.0", undefined, []]]);
  });

  test("levels and reasons of redocly.yaml hold", async () => {
    const diff = "diff: { ignore: [{ code: operation-added, reason: For us alone. }] }";
    const repository = createHistory();
    writeFileSync(
      join(repository.folder, "redocly.yaml"),
      REDOCLY.replace("output: generated", `output: generated, ${diff}`),
    );
    const [unreleased] = (await readJson(repository)).versions;
    expect(unreleased).toMatchObject({ counts: { safe: 0 }, changes: [{ ignored: "For us alone." }] });
    const { stdout } = await runIn(repository.folder, "changelog", "v2.0.0..");
    expect(stdout).toContain("All changes since v2.0.0 are ignored.\n");
    expect(stdout).toContain("- **POST /pets** (ignored): POST /pets is new. For us alone.\n");
  });

  test("names from a contract are not Markdown", async () => {
    const repository = createRepository();
    repository.commit({ "openapi.yaml": toPets("1.0.0", LIST) });
    repository.git("tag", "v1.0.0");
    const hostile = '  "/<img>|`@all`":\n' + `    get: { responses: ${OK} }\n`;
    repository.commit({ "openapi.yaml": toPets('"2 @all"', LIST + hostile) });
    const { stdout } = await runIn(repository.folder, "changelog");
    expect(stdout).toContain("2 &#64;all");
    expect(stdout).not.toMatch(/<img>|`|@all/);
  });

  test.each([
    ["json", "generated/changelog.json"],
    ["markdown", "docs/API.md"],
    ["html", "history.html"],
  ])("writes %s to %s", async (format, out) => {
    const { folder } = createHistory();
    const printed = await runIn(folder, "changelog", "--format", format);
    const first = await runIn(folder, "changelog", "--out", out);
    expect(first).toMatchObject({ exitCode: 0, stdout: `created  ${join(out)}\n`, stderr: "" });
    expect(readFileSync(join(folder, out), "utf8")).toBe(printed.stdout);
    expect((await runIn(folder, "changelog", "--out", out)).stdout).toBe(`unchanged  ${join(out)}\n`);
  });

  test("generate leaves a changelog beside the contract alone", async () => {
    const { folder } = createHistory();
    await runIn(folder, "changelog", "--out", "generated/changelog.json");
    expect((await runIn(folder, "generate")).stdout).not.toContain("stray");
    expect(await runIn(folder, "generate", "--check")).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, "generated/changelog.json"))).toBe(true);
  });
});
