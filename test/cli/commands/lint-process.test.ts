// @thorough: lints a large contract in a process of its own.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { toPackedCommand } from "./packed.js";

const MAIN = toPackedCommand();

/** Large enough to be linted by a process of its own. */
const PADDING = `# ${"a".repeat(8_000_000)}\n`;
const PATHS = `paths:
  /pets:
    get:
      operationId: listPets
      responses:
        "204": { description: None. }
`;

/** Runs the command as a process, with a plugin of one rule when its code is given. */
function generate(contract: string, rule?: string) {
  const plugin = `export default () => ({ id: "own", rules: { oas3: { own: () => ({ Root() { ${rule} } }) } } });`;
  const folder = createProject({
    "openapi.yaml": contract + PADDING,
    ...(rule !== undefined && {
      "plugin.mjs": plugin,
      "redocly.yaml": `${REDOCLY}  own/own: warn\nplugins: [./plugin.mjs]\n`,
    }),
  });
  const env = { ...process.env, NODE_OPTIONS: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, "generate"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr, isWritten: existsSync(join(folder, "generated")) };
}

describe("a large contract is linted by a process of its own", () => {
  test("rules of the project's own are heard, and only a warning is", () => {
    const { status, stderr, isWritten } = generate(
      toContract(PATHS),
      'arguments[1].report({ message: `Said by ${process.argv[1].replace(/.*\\W(?=lint)/, "")}.` })',
    );
    expect({ status, stderr, isWritten }).toEqual({
      status: 0,
      stderr: "openapi.yaml:1:1  own/own  warning: Said by lint-child.js.\n",
      isWritten: true,
    });
  });

  test("an error that it finds is told with its place, alone, and nothing is written", () => {
    expect(generate(toContract(PATHS.replace("responses:", "replies:")))).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "openapi.yaml:9:7  struct  error: Property `replies` is not expected here.\n1 error; nothing was written.\n",
      isWritten: false,
    });
  });

  test("what keeps it from being generated from is told beside the warnings", () => {
    const { status, stderr } = generate(
      toContract(PATHS.replace("listPets", "listPets\n      x-sunset: soon")),
      'arguments[1].report({ message: "Said." })',
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^openapi.yaml:1:1 {2}own\/own .*\nopenapi.yaml:9:7 {2}date-invalid .*\n1 error; .*\n$/,
    );
  });

  test.each([
    ["throws", 'throw new Error("by a rule")', /Error: by a rule/],
    ["ends its process", "process.exit(3)", /The lint process ended \(3\)/],
  ])("a rule that %s fails the command", (_, rule, want) => {
    const { status, stderr, isWritten } = generate(toContract(PATHS), rule);
    expect(status).toBe(1);
    expect(stderr).toMatch(want);
    expect(isWritten).toBe(false);
  });
});
