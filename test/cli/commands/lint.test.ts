import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { writeProblems } from "../../../src/cli/output/format-problem.js";
import type { Problem } from "../../../src/tenon/core/document/contract-error.js";
import { runIn } from "./run.js";

const PLUGIN = fileURLToPath(new URL("../../../src/cli/lint/index.ts", import.meta.url));
const FINE = toContract("paths: {}\n");
const SUNSET = toContract(
  'paths:\n  /a:\n    get:\n      x-sunset: soon\n      responses: { "204": { description: Done. } }\n',
);
const WARNS = REDOCLY.replace("struct: error", "struct: error\n  info-license: warn");

describe("tenon lint", () => {
  const WARNING = "openapi.yaml:2:1  info-license  warning: Info object should contain `license` field.\n";

  test.each([
    ["a fine contract", FINE, REDOCLY, [], 0, "0 errors, 0 warnings\n"],
    ["a warning", FINE, WARNS, [], 0, `${WARNING}0 errors, 1 warning\n`],
    [
      "as many warnings as are allowed",
      FINE,
      WARNS,
      ["--max-warnings", "1"],
      0,
      `${WARNING}0 errors, 1 warning\n`,
    ],
    ["one warning too many", FINE, WARNS, ["--max-warnings", "0"], 1, `${WARNING}0 errors, 1 warning\n`],
    [
      "an error of a rule",
      toContract("paths: {}\nunknown: true\n"),
      REDOCLY,
      [],
      1,
      "openapi.yaml:6:1  struct  error: Property `unknown` is not expected here.\n1 error, 0 warnings\n",
    ],
    [
      "an error that keeps Tenon from generating",
      SUNSET,
      REDOCLY,
      ["--api", "v1"],
      1,
      'openapi.yaml:8:7  date-invalid  error: x-sunset must be an RFC 3339 full-date or date-time, for example "2030-12-05", found "soon"\n1 error, 0 warnings\n',
    ],
  ] as const)("%s", async (_, contract, redocly, argv, exitCode, stdout) => {
    const folder = createProject({ "openapi.yaml": contract, "redocly.yaml": redocly });
    expect(await runIn(folder, "lint", ...argv)).toEqual({ exitCode, stdout, stderr: "" });
  });

  test("a warning about redocly.yaml counts", async () => {
    const folder = createProject({ "openapi.yaml": FINE, "redocly.yaml": REDOCLY, "package.json": "{}" });
    const { exitCode, stdout } = await runIn(folder, "lint", "--max-warnings", "0");
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(/^redocly\.yaml:4:5 {2}module-open .*\n0 errors, 1 warning\n$/),
    ]);
  });

  test("a problem of a file that two APIs share is printed once, and says how to declare the shared error", async () => {
    const api = (name: string) =>
      `  ${name}:\n    root: ${name}/openapi.yaml\n    x-tenon: { output: generated/${name} }\n`;
    const contract = toContract("paths:\n  /a: { $ref: ../shared/a.yaml }\n");
    const schema = "{ type: object, properties: { code: { type: string } } }";
    const body = "{ application/json: { schema: { $ref: errors.yaml#/schemas/Error } } }";
    const files = {
      "redocly.yaml": `apis:\n${api("v1")}${api("v2")}plugins: ["${PLUGIN}"]\nrules:\n  tenon/error-body: warn\n`,
      "v1/openapi.yaml": contract,
      "v2/openapi.yaml": contract,
      "shared/a.yaml": `get:\n  responses: { default: { description: No., content: ${body} } }\n`,
      "shared/errors.yaml": `schemas:\n  Error: ${schema}\n`,
    };
    const { stdout } = await runIn(createProject(files), "lint");
    const declared = "components.schemas.Error: { $ref: ../shared/errors.yaml#/schemas/Error }";
    expect(stdout).toMatch(
      /found \.\.\/shared\/errors\.yaml#\/schemas\/Error\. Declare it in the root document: .*\n0 errors, 1 warning\n$/,
    );
    expect(stdout).toContain(declared);
    const fixed = `${contract}components: { schemas: { Error: { $ref: ../shared/errors.yaml#/schemas/Error } } }\n`;
    const repaired = { ...files, "v1/openapi.yaml": fixed, "v2/openapi.yaml": fixed };
    expect(await runIn(createProject(repaired), "lint")).toMatchObject({ stdout: "0 errors, 0 warnings\n" });
  });

  test("--json has every problem with its place", async () => {
    const { exitCode, stdout } = await runIn(createProject({ "openapi.yaml": SUNSET }), "lint", "--json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      errors: 1,
      warnings: 0,
      problems: [{ code: "date-invalid", file: "openapi.yaml", line: 8, column: 7, severity: "error" }],
    });
  });
});

describe("problems as they are written", () => {
  const toProblem = (file: string, line: number, severity: Problem["severity"] = "warning"): Problem => {
    return {
      code: "some-rule",
      severity,
      message: "Said.",
      file: `/p/${file}`,
      line,
      column: 1,
      pointer: "#/",
    };
  };
  const write = (problems: readonly Problem[], isTTY: boolean): readonly string[] => {
    let text = "";
    writeProblems(problems, { write: (chunk) => (text += chunk), isTTY }, { cwd: "/p", program: "tenon" });
    return text.split("\n").slice(0, -1);
  };

  test("stand in the order of files, lines and columns", () => {
    const problems = [toProblem("b.yaml", 2), toProblem("b.yaml", 10), toProblem("a.yaml", 3, "error")];
    for (const given of [problems, problems.toReversed()]) {
      expect(write(given, false)).toEqual([
        "a.yaml:3:1  some-rule  error: Said.",
        "b.yaml:2:1  some-rule  warning: Said.",
        "b.yaml:10:1  some-rule  warning: Said.",
      ]);
    }
  });

  test("are a hundred on a terminal, errors before warnings, and all of them elsewhere", () => {
    const problems = Array.from({ length: 120 }, (_, index) =>
      toProblem("a.yaml", index + 1, index === 110 ? "error" : "warning"),
    );
    const told = write(problems, true);
    expect(told).toHaveLength(101);
    expect(told.slice(98)).toEqual([
      "a.yaml:99:1  some-rule  warning: Said.",
      "a.yaml:111:1  some-rule  error: Said.",
      'and 20 more; "tenon lint --json" prints all',
    ]);
    expect(write(problems, false)).toHaveLength(120);
  });
});
