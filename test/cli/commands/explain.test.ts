import { describe, expect, test } from "@jest/globals";
import { CODES } from "../../../src/cli/diff/codes/index.js";
import createPlugin from "../../../src/cli/lint/index.js";
import { CONTRACT_ERRORS, CONTRACT_WARNINGS } from "../../../src/tenon/core/document/index.js";
import { listExplanations } from "../../../src/cli/commands/explain.js";
import { runIn } from "./run.js";

const explain = (...args: readonly string[]) => runIn(process.cwd(), "explain", ...args);

describe("tenon explain", () => {
  test("prints the row of a code, and where it is", async () => {
    const { exitCode, stdout } = await explain("reference-unresolved");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^reference-unresolved\n {2}Meaning: The target of a `\$ref` does not exist, .+\n {2}See "Contract problems" in .+errors\.md\n$/,
    );
  });

  test("finds a rule also without the name of the plugin, and prints JSON", async () => {
    const { stdout } = await explain("operation-secured", "--json");
    expect(JSON.parse(stdout)).toMatchObject([
      { code: "tenon/operation-secured", page: "guide/configuration.md" },
    ]);
  });

  test("knows every code of problems, rules and changes", () => {
    const rules = Object.keys(createPlugin().rules?.oas3 ?? {}).map((name) => `tenon/${name}`);
    const codes = [...Object.keys({ ...CONTRACT_ERRORS, ...CONTRACT_WARNINGS, ...CODES }), ...rules];
    expect(codes.length).toBeGreaterThan(150);
    const known = new Set(listExplanations().map(({ code }) => code));
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
  });

  test("an unknown code gets the nearest one", async () => {
    const { exitCode, stderr } = await explain("reference-unresolve");
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no code "reference-unresolve". Did you mean reference-unresolved?');
  });
});
