import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { afterEach, expect, jest, test } from "@jest/globals";

interface FileResult {
  readonly testFilePath: string;
  readonly numPendingTests: number;
}

interface Reporter {
  onRunComplete(contexts: unknown, results: { readonly testResults: readonly FileResult[] }): void;
}

const require = createRequire(import.meta.url);
const SkippedReporter = require("./support/report-skipped.cjs") as {
  new (config: { readonly testNamePattern?: string }): Reporter;
  readonly findRequirements: (path: string) => string;
};
const selection = require("./support/select-tests.cjs") as { leftOut?: object };

afterEach(() => {
  delete selection.leftOut;
});

/** Returns the report of a run with 3 skipped tests in each of these files. */
function report(paths: readonly string[], testNamePattern?: string): string {
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const testResults = paths.map((testFilePath) => ({ testFilePath, numPendingTests: 3 }));
  new SkippedReporter(testNamePattern === undefined ? {} : { testNamePattern }).onRunComplete([], {
    testResults: [...testResults, { testFilePath: "test/architecture.test.ts", numPendingTests: 0 }],
  });
  const text = write.mock.calls.map(([chunk]) => chunk).join("");
  write.mockRestore();
  return text;
}

const CHROMIUM = ["test/cli/docs/theme.test.ts", "test/cli/docs/browser.test.ts"];

test("the end of a run says what was left out and skipped, and why", () => {
  selection.leftOut = { count: 40, runner: "test:thorough" };
  expect(report([...CHROMIUM, "test/faults/kill.test.ts"])).toBe(`
Not run:
  40 test files are left out; \`npm run test:thorough\` runs them.
  6 skipped, for lack of Chromium (Debian: chromium-headless-shell).
  3 skipped, for lack of PostgreSQL (or TEST_DATABASE_URL).
`);
});

test("a run that skips nothing, or that a pattern selects from, ends without a report", () => {
  expect(report([])).toBe("");
  expect(report(CHROMIUM, "pets")).toBe("");
});

const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .map((path) => join("test", path))
  .filter((path) => /\b(?:describe|test)\.skip\b(?!")/.test(readFileSync(path, "utf8")));

test.each(files)("the requirement of %s is known", (path) => {
  expect(SkippedReporter.findRequirements(path)).not.toBe("");
});
