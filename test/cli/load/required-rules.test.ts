import { describe, expect, test } from "@jest/globals";
import { runIn } from "../commands/run.js";
import { createProject, REDOCLY, toContract } from "./project.js";

/** README's smallest redocly.yaml: no `extends`, no `rules`. */
const MINIMAL = REDOCLY.slice(0, REDOCLY.indexOf("rules:"));

/** One operation; `in` is written in its path item, `responses` is there. */
const toPath = (path: string, text: string) =>
  toContract(`paths:\n  ${path}:\n    get:\n      responses: {}\n      ${text}\n`);

const QUERY = "{ name: q, in: query, schema: {} }";

describe("what decides whether a document is OpenAPI is told whatever redocly.yaml says", () => {
  test.each([
    ["struct", toContract("paths: {}\npathz: {}\n"), 6],
    ["no-unresolved-refs", toContract("paths:\n  /a: { $ref: nowhere.yaml }\n"), 6],
    ["operation-parameters-unique", toPath("/a", `parameters: [${QUERY}, ${QUERY}]`), 9],
    ["tenon/path-parameter-declared", toPath("/{a}", ""), 7],
    [
      "tenon/schema-compiles",
      toPath("/a", 'parameters: [{ name: q, in: query, schema: { pattern: "[" } }]'),
      9,
    ],
    [
      "tenon/default-conforms",
      toPath("/a", "parameters: [{ name: q, in: query, schema: { type: integer, default: ten } }]").replace(
        "3.1.0",
        "3.0.3",
      ),
      9,
    ],
  ])("%s", async (rule, contract, line) => {
    const code = rule === "no-unresolved-refs" ? "reference-unresolved" : rule;
    // Presets turn some of these rules into warnings and do not know the others.
    for (const redocly of [
      MINIMAL,
      `${MINIMAL}extends: [minimal]\n`,
      `${MINIMAL}extends: [./loose.yaml]\n`,
    ]) {
      const folder = createProject({
        "redocly.yaml": redocly,
        "openapi.yaml": contract,
        "loose.yaml": `rules: { ${[...new Set(["struct", "no-unresolved-refs", rule])].map((name) => `${name}: off`).join(", ")} }\n`,
      });
      const { exitCode, stdout } = await runIn(folder, "lint", "--json");
      const { problems } = JSON.parse(stdout) as { problems: readonly { severity: string }[] };
      expect(exitCode).toBe(1);
      expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([{ code, line }]);
      expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 1, stdout: "" });
    }
  });

  test("a pattern that backtracks stops generation, unless redocly.yaml accepts it", async () => {
    const contract = toPath("/a", 'parameters: [{ name: q, in: query, schema: { pattern: "^(a+)+$" } }]');
    const folder = createProject({ "redocly.yaml": MINIMAL, "openapi.yaml": contract });
    const { stderr, ...refused } = await runIn(folder, "generate");
    expect(refused).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(":9:");
    expect(stderr).toContain("tenon/pattern-linear");
    for (const severity of ["warn", "off"]) {
      const accepting = createProject({
        "redocly.yaml": `${MINIMAL}rules: { tenon/pattern-linear: ${severity} }\n`,
        "openapi.yaml": contract,
      });
      expect((await runIn(accepting, "generate")).exitCode).toBe(0);
    }
  });

  test("style is the user's choice: README's smallest redocly.yaml finds nothing in a fine contract", async () => {
    const folder = createProject({ "redocly.yaml": MINIMAL, "openapi.yaml": toPath("/a", "") });
    expect(await runIn(folder, "lint")).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
