import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { runTenon } from "../../../src/cli/commands/program.js";
import { runIn } from "./run.js";

const LIMIT = (maximum: number) => `paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, schema: { $ref: "./limit.yaml" } }
      responses: { "204": { description: Done. } }
      x-maximum: ${maximum}
`;

/** A repository whose first commit has a maximum of 100, and whose working tree one of 50, in a file of its own. */
function createRepository(redocly = REDOCLY): string {
  const files = { "redocly.yaml": redocly, "openapi.yaml": toContract(LIMIT(100)) };
  const folder = createProject({ ...files, "limit.yaml": "type: integer\nmaximum: 100\n" });
  const git = (...argv: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.example", ...argv], { cwd: folder });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  writeFileSync(join(folder, "limit.yaml"), "type: integer\nmaximum: 50\n");
  return folder;
}

const TOLD = `breaking  request-maximum-lowered  GET /pets
  limit.yaml:2  The query parameter "limit" has a lower maximum: 100, now 50
  51 was valid and is no longer valid.
1 breaking change
info.version is 1.0.0; major changes require at least 2.0.0.
Policy: default
`;

const NOT_COMPARED = /Not compared: \d+ kinds of parts; --verbose lists them\.\n$/;

describe("tenon diff", () => {
  test.each([
    ["a revision with the contract of redocly.yaml", ["main"]],
    ["a file of a revision, and a file", ["main:openapi.yaml", "openapi.yaml"]],
    ["a revision of the file that it is compared with", ["HEAD", "openapi.yaml"]],
    ["a file of a revision from this folder", ["HEAD:./openapi.yaml"]],
  ])("compares %s, with the files that they refer to", async (_, argv) => {
    const { exitCode, stdout, stderr } = await runIn(createRepository(), "diff", ...argv);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(stdout.replace(NOT_COMPARED, "")).toBe(TOLD);
  });

  test("--verbose lists what is not compared", async () => {
    const { stdout } = await runIn(createRepository(), "diff", "main", "--verbose");
    expect(stdout).toMatch(/^Not compared: [^;\n]+; .*\.\n$/m);
    expect(stdout).not.toContain("--verbose");
  });

  test("what is gone is told at its place in the revision that had it", async () => {
    const folder = createRepository();
    writeFileSync(join(folder, "openapi.yaml"), toContract("paths: {}\n"));
    const { stdout } = await runIn(folder, "diff", "main");
    expect(stdout).toContain(
      "breaking  operation-removed  GET /pets\n  main:openapi.yaml:7  GET /pets was removed\n",
    );
  });

  test("a revision in which the file had another name is found", async () => {
    const folder = createRepository(REDOCLY.replace("openapi.yaml", "api/v1.yaml"));
    const git = (...argv: string[]) => execFileSync("git", argv, { cwd: folder });
    mkdirSync(join(folder, "api"));
    git("mv", "openapi.yaml", "api/v1.yaml");
    git("mv", "limit.yaml", "api/limit.yaml");
    const { stdout, stderr } = await runIn(folder, "diff", "main", "--json");
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({
      base: "main:openapi.yaml",
      revision: "api/v1.yaml",
      changes: [{ code: "request-maximum-lowered", file: "api/limit.yaml" }],
    });
    const named = await runIn(folder, "diff", "main:api/v1.yaml");
    expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("has no file api/v1.yaml") });
  });

  test("a file is compared with the contract of redocly.yaml, not with itself", async () => {
    const folder = createRepository();
    writeFileSync(join(folder, "old.yaml"), toContract(LIMIT(100)).replace("/pets", "/animals"));
    const { stdout } = await runIn(folder, "diff", "old.yaml", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      base: "old.yaml",
      revision: "openapi.yaml",
      counts: { breaking: 1, risky: 0, safe: 1 },
    });
  });

  test("compares files without a redocly.yaml, and URLs", async () => {
    const folder = createRepository();
    const server = createServer((_, response) => response.end(toContract("paths: {}\n")));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/openapi.yaml`;
    const outcome = await runIn(folder, "diff", url, "openapi.yaml", "--json");
    server.close();
    expect(outcome.exitCode).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      base: url,
      revision: "openapi.yaml",
      counts: { breaking: 0, risky: 0, safe: 2 },
      version: { before: "1.0.0", after: "1.0.0", bump: "minor", proposed: "1.1.0", enough: false },
      changes: [
        {
          code: "texts-changed",
          level: "safe",
          message: "Titles, summaries and descriptions changed: 1 new, 0 removed",
        },
        {
          code: "operation-added",
          level: "safe",
          operation: "GET /pets",
          pointer: "#/paths/~1pets/get",
          file: "openapi.yaml",
          line: 7,
          message: "GET /pets is new",
        },
      ],
    });
  });

  test.each([
    [["main", "--fail-on", "none"], 0],
    [["main", "--fail-on", "breaking"], 1],
    [["openapi.yaml", "main"], 0],
    [["openapi.yaml", "main", "--check-version"], 1],
    [["openapi.yaml", "openapi.yaml", "--check-version"], 0],
  ])("%j is exit code %i", async (argv, exitCode) => {
    expect((await runIn(createRepository(), "diff", ...argv)).exitCode).toBe(exitCode);
  });

  test("redocly.yaml sets levels, and ignores what it gives a reason for", async () => {
    const settings = (diff: string) =>
      REDOCLY.replace("output: generated", `output: generated, diff: ${diff}`);
    const risky = createRepository(settings("{ levels: { request-maximum-lowered: risky } }"));
    expect(await runIn(risky, "diff", "main")).toMatchObject({ exitCode: 0 });
    expect(await runIn(risky, "diff", "main", "--fail-on", "risky")).toMatchObject({ exitCode: 1 });

    const entry = "{ code: request-maximum-lowered, operation: GET /pets, reason: Nobody asked for more. }";
    const ignoring = createRepository(settings(`{ ignore: [${entry}] }`));
    const { exitCode, stdout } = await runIn(
      ignoring,
      "diff",
      "main",
      "--fail-on",
      "risky",
      "--check-version",
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain("  Ignored: Nobody asked for more.\nNo changes; 1 ignored\n");
  });

  test.each([
    ["", 0, "risky"],
    [", diff: { stabilityLevel: alpha }", 1, "breaking"],
  ])("promises begin with the level that redocly.yaml says%s", async (diff, exitCode, level) => {
    const toLimit = (maximum: number) =>
      toContract(
        `paths:\n  /a:\n    get:\n      x-stability-level: experimental\n      parameters: [{ name: q, in: query, schema: { maximum: ${maximum} } }]\n      responses: { "204": { description: Done. } }\n`,
      );
    const redocly = REDOCLY.replace("output: generated", `output: generated${diff}`);
    const files = { "redocly.yaml": redocly, "openapi.yaml": toLimit(9), "new.yaml": toLimit(5) };
    const told = await runIn(createProject(files), "diff", "openapi.yaml", "new.yaml");
    expect(told).toMatchObject({
      exitCode,
      stdout: expect.stringContaining(`${level}  request-maximum-lowered`),
    });
  });

  test.each([
    ["{ level: {} }", "config-unknown", "Did you mean levels?"],
    [
      "{ levels: { request-maximum-lowerd: risky } }",
      "config-unknown",
      "Did you mean request-maximum-lowered?",
    ],
    ["{ levels: { operation-removed: awful } }", "api-diff", "breaking, risky, safe"],
    ["{ ignore: [{ code: operation-removed }] }", "api-diff", "`reason`"],
    ["{ policy: severe }", "api-diff", "strict, default, lenient"],
    ["{ stabilityLevel: preview }", "api-diff", "draft, alpha, experimental, beta, stable"],
    ["yes", "api-diff", "object"],
  ])("x-tenon.diff: %s is refused", async (diff, code, told) => {
    const folder = createRepository(REDOCLY.replace("output: generated", `output: generated, diff: ${diff}`));
    const { exitCode, stderr } = await runIn(folder, "diff", "main");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(code);
    expect(stderr).toContain(told);
  });

  test.each([
    [["nowhere"], 'error: "nowhere" is not a file, a URL or a git revision.'],
    [["--", "--output=x"], 'error: "--output=x" is not a file, a URL or a git revision.'],
    [["main:other.yaml"], "error: Revision main has no file other.yaml."],
    [["main", "nowhere.yaml"], 'error: "nowhere.yaml" is not a file, a URL or a git revision.'],
    [["main", "--format", "pdf"], "error: option '--format <format>' argument 'pdf' is invalid."],
  ])("%j is bad usage", async (argv, told) => {
    const { exitCode, stderr } = await runIn(createRepository(), "diff", ...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(told);
  });

  test("outside of a repository a revision is none", async () => {
    const { exitCode, stderr } = await runIn(
      createProject({ "openapi.yaml": toContract("paths: {}\n") }),
      "diff",
      "main",
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("is not in a git repository");
  });

  test("annotations are at the file in the working tree", async () => {
    const { stdout } = await runIn(createRepository(), "diff", "main", "--format", "github");
    expect(stdout.split("\n")[0]).toBe(
      "::error file=limit.yaml,line=2,title=breaking%3A request-maximum-lowered::GET /pets: " +
        'The query parameter "limit" has a lower maximum: 100, now 50. 51 was valid and is no longer valid.',
    );
  });

  test("the annotation of a removal is at what is left of its parent", async () => {
    const folder = createRepository();
    const write = (properties: string) => {
      writeFileSync(join(folder, "limit.yaml"), `Pet:\n  type: object\n  properties:\n${properties}`);
    };
    const response = `{ description: Pet., content: { application/json: { schema: { $ref: "./limit.yaml#/Pet" } } } }`;
    const paths = `paths:\n  /pets:\n    get: { responses: { "200": ${response} } }\n`;
    writeFileSync(join(folder, "openapi.yaml"), toContract(paths));
    write("    id: { type: integer }\n    name: { type: string }\n");
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-qam", "2"], {
      cwd: folder,
    });
    write("    id: { type: integer }\n");
    const { stdout } = await runIn(folder, "diff", "main", "--format", "github");
    expect(stdout.split("\n")[0]).toMatch(
      /^::\w+ file=limit\.yaml,line=3,title=\w+%3A response-optional-property-removed::/,
    );
  });

  test("names from a contract are neither Markdown nor commands nor colours", async () => {
    const folder = createRepository();
    const name = '"a\\n::error::b|<b>@all\\u001b[31m"';
    writeFileSync(
      join(folder, "openapi.yaml"),
      toContract(
        `paths:\n  /pets:\n    get:\n      parameters: [{ name: ${name}, in: query, schema: {} }]\n      responses: {}\n`,
      ).replace("1.0.0", '"1.0.0\\u001b[31m"'),
    );
    const outputs = [];
    for (const format of ["text", "markdown", "github"]) {
      outputs.push((await runIn(folder, "diff", "main", "--format", format)).stdout);
    }
    const [text = "", markdown = "", github = ""] = outputs;
    expect(text).not.toContain("\u001b");
    expect(markdown).not.toMatch(/<b>|@all|\n::/);
    expect(github).not.toMatch(/\n::error::b/);
  });

  test("a terminal gets colours and the line in question", async () => {
    let text = "";
    await runTenon(["diff", "main"], {
      cwd: createRepository(),
      program: "tenon",
      stdout: { write: (chunk) => (text += chunk), isTTY: true, hasColors: () => true },
      stderr: { write: () => undefined },
    });
    expect(text).toContain("\u001b[31mbreaking\u001b[39m");
    expect(text).toContain("2 | maximum: 50");
  });
});
