import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../contract/project.js";
import { runIn } from "./run.js";

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
      "openapi.yaml:6:1  struct  Property `unknown` is not expected here.\n1 error, 0 warnings\n",
    ],
    [
      "an error that keeps Tenon from generating",
      SUNSET,
      REDOCLY,
      ["v1"],
      1,
      'openapi.yaml:8:7  date-invalid  x-sunset must be a date such as "2030-12-05", found "soon"\n1 error, 0 warnings\n',
    ],
  ] as const)("%s", async (_, contract, redocly, argv, exitCode, stdout) => {
    const folder = createProject({ "openapi.yaml": contract, "redocly.yaml": redocly });
    expect(await runIn(folder, "lint", ...argv)).toEqual({ exitCode, stdout, stderr: "" });
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
