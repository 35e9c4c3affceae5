import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject, toContract } from "../load/project.js";
import { createCodeFrames } from "../../../src/cli/output/code-frame.js";
import { createPaint } from "../../../src/cli/output/terminal.js";
import { runTenon } from "../../../src/cli/commands/program.js";
import { runIn } from "./run.js";

const CONTRACT = toContract(
  'paths:\n  /a:\n    get:\n      x-sunset: soon\n      responses: { "204": { description: Done. } }\n',
);

/** What `tenon lint` writes on a terminal. */
async function lintOnTerminal(contract: string, hasColors: boolean): Promise<string> {
  const folder = createProject({ "openapi.yaml": contract });
  let text = "";
  const stdout = {
    write: (chunk: string) => (text += chunk),
    isTTY: true,
    columns: 40,
    hasColors: () => hasColors,
  };
  await runTenon(["lint"], { cwd: folder, stdout, stderr: { write: () => undefined }, program: "tenon" });
  return text;
}

describe("a problem on a terminal", () => {
  test("has its line with a caret below the place", async () => {
    expect(await lintOnTerminal(CONTRACT, false)).toBe(
      'openapi.yaml:8:7  date-invalid  error: x-sunset must be an RFC 3339 full-date or date-time, for example "2030-12-05", found "soon"\n' +
        "  8 |       x-sunset: soon\n" +
        "    |       ^\n" +
        "1 error, 0 warnings\n",
    );
  });

  test("has colours where they are wanted", async () => {
    const text = await lintOnTerminal(CONTRACT, true);
    expect(text).toContain("\u001b[1mopenapi.yaml:8:7\u001b[22m  date-invalid  \u001b[31merror\u001b[39m: ");
    expect(createPaint({ write: () => undefined, isTTY: true })("a", "red")).toBe("a");
  });

  test("has none of the lines when there are many", async () => {
    const many = Array.from({ length: 9 }, (_, index) => `unknown${index}: 1\n`).join("");
    expect(await lintOnTerminal(toContract(`paths: {}\n${many}`), false)).not.toContain(" | ");
  });
});

describe("the line of a place", () => {
  const show = (text: string, column: number, columns?: number): readonly string[] => {
    const file = join(createProject({}), "a.yaml");
    writeFileSync(file, `first\r\n${text}\n`);
    return createCodeFrames(columns)({ file, line: 2, column });
  };

  test("is cut to the terminal, around the place", () => {
    const [line = "", caret = ""] = show(`${"a".repeat(100)}b${"c".repeat(100)}`, 101, 30);
    expect(line).toHaveLength(30);
    expect(line[caret.indexOf("^")]).toBe("b");
  });

  test("keeps the caret below its character behind tabs, and lets nothing through to the terminal", () => {
    const [line = "", caret = ""] = show("\t\u001b[2Ja: b", 6);
    expect(line).toBe("  2 |  \\u001b[2Ja: b");
    expect(line[caret.indexOf("^")]).toBe("a");
  });

  test("is none of a file that is not there, or has no such line", () => {
    const frames = createCodeFrames();
    expect(frames({ file: "/nowhere/a.yaml", line: 1, column: 1 })).toEqual([]);
    expect(frames({ file: "https://example.com/a.yaml", line: 1, column: 1 })).toEqual([]);
  });
});

describe("tenon completion", () => {
  const complete = async (...words: string[]): Promise<string> => {
    const folder = createProject({ "openapi.yaml": "" });
    const { stdout } = await runIn(folder, "completion", "bash");
    const script = `${stdout}\nCOMP_WORDS=(tenon "$@"); COMP_CWORD=$#; _tenon; echo "\${COMPREPLY[*]}"`;
    return execFileSync("bash", ["-c", script, "bash", ...words], { cwd: folder, encoding: "utf8" }).trim();
  };

  test.each([
    [["ge"], "generate"],
    [["--v"], "--version"],
    [["generate", "--ch"], "--check"],
    [["coverage", "--f"], "--fail-under"],
    [["diff", "open"], "openapi.yaml"],
  ])("%j becomes %s in bash", async (words, expected) => {
    expect(await complete(...words)).toBe(expected);
  });

  test("is written for zsh and fish", async () => {
    expect((await runIn(createProject({}), "completion", "zsh")).stdout).toContain("bashcompinit");
    const { stdout } = await runIn(createProject({}), "completion", "fish");
    expect(stdout).toContain("complete -c tenon -n '__fish_seen_subcommand_from lint' -l max-warnings -d ");
  });

  test("another shell is refused, and told which there are", async () => {
    const { exitCode, stderr } = await runIn(createProject({}), "completion", "cmd");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Allowed choices are bash, zsh, fish/);
  });
});
