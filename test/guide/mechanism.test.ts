import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { compileProjects } from "../support/create-program.js";
import { createDirectory } from "../support/directory.js";
import { readSteps } from "./block.js";
import { applyDiff, insertText } from "./edit.js";
import { isShown, takeShown } from "./output.js";
import { Session } from "./session.js";

/** A page's blocks before anything is started. */
async function take(markdown: string): Promise<void> {
  const session = new Session({ make: () => "", environment: {} });
  for (const step of readSteps(markdown)) await session.take(step);
}

const FENCE = "```";
const block = (language: string, text: string) => `${FENCE}${language}\n${text}\n${FENCE}\n`;

describe("a page fails with", () => {
  test.each([
    [
      "a block that nobody does anything with",
      block("ts", "const a = 1;"),
      /neither run nor compiled nor excused/,
    ],
    [
      "an excuse that there is not",
      `<!-- not run: tired -->\n\n${block("sh", "exit 1")}`,
      /tired is none of/,
    ],
    [
      "a comment that is not understood",
      `<!-- exits: 1 -->\n\n${block("sh", "exit 1")}`,
      /Line 1: "exits: 1" is none of/,
    ],
    ["a comment whose block is missing", "<!-- exit: 1 -->\n\nText.\n", /Line 3: .* there is none/],
    ["a block without an end", "```sh\nls\n", /Line 1: the block has no end/],
    ["a command that is nowhere", block("console", "$ ls"), /Nothing says where it happens/],
    [
      "an excerpt that is not there",
      `<!-- from: package.json -->\n\n${block("json", '"no": 1')}`,
      /not in package\.json/,
    ],
    ["a folder that there is not", "<!-- start: elsewhere -->\n", /elsewhere is none of empty/],
  ])("%s", async (_, markdown, message) => {
    await expect(async () => take(markdown)).rejects.toThrow(message);
  });
});

test("an excerpt and an excuse are fine", async () => {
  await take(`<!-- from: package.json -->\n\n${block("json", '"private": true,')}`);
  await take(`<!-- not run: container -->\n\n${block("sh", "docker build .")}`);
});

test("a page's TypeScript that does not compile is reported", async () => {
  const folder = join(createDirectory(), "notes");
  mkdirSync(folder);
  const page = (text: string) =>
    `<!-- start: empty -->\n<!-- write: tsconfig.json -->\n\n${block("json", '{ "compilerOptions": { "skipLibCheck": true, "types": [] } }')}
<!-- write: a.ts -->\n\n${block("ts", text)}`;
  const compile = async (text: string) => {
    const session = new Session({ make: () => folder, environment: {} });
    for (const step of readSteps(page(text))) await session.take(step);
    await session.finish();
    return compileProjects(session.uncompiled, folder);
  };
  expect(await compile("export const a: number = 1;")).toBe("");
  expect(await compile('export const a: number = "1";')).toBe(
    "a.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.\n",
  );
});

describe("what is shown is what was printed", () => {
  test.each([
    ["the same", "a\nb", "a\nb\n", true],
    ["another", "a\nb", "a\nc\n", false],
    ["less", "a", "a\nb\n", false],
    ["more", "a\nb", "a\n", false],
    ["the rest of a line", "found in …\nb", "found in folder x\nb\n", true],
    ["any lines", "a\n…\nz", "a\nb\nc\nz\n", true],
    ["any lines, and another end", "a\n…\nz", "a\nb\ny\n", false],
    ["a time", "done in 20 ms (types 7)", "done in 1300 ms (types 812)\n", true],
    ["an unnamed number", "done with 20", "done with 21\n", false],
    ["signs of patterns", "a (b) [c]", "a (b) [c]\n", true],
  ])("%s", (_, shown, printed, is) => {
    expect(isShown(shown, printed)).toBe(is);
  });

  test("in any order, when it comes from two processes", () => {
    expect(takeShown("a\n  b", "  b\na\nc\n")?.trim()).toBe("c");
    expect(takeShown("a\nb", "a\n")).toBeUndefined();
  });

  test("and waits for the lines that it leaves out at the end", () => {
    expect(takeShown("a\n…", "a\n")).toBeUndefined();
    expect(takeShown("…\nb\n…", "a\nb\n")).toBeUndefined();
    expect(takeShown("…\nb\n…", "a\nb\nc\n")).toBe("");
  });
});

describe("edits", () => {
  test("go where the page says", () => {
    expect(insertText("a\nb\n", "x", 'after "a"')).toBe("a\nx\nb\n");
    expect(insertText("a\nb\n", "x\ny", 'before "b"')).toBe("a\nx\ny\nb\n");
    expect(applyDiff("a\nb\nc\n", " a\n-b\n+x")).toBe("a\nx\nc\n");
  });

  test("fail where that is nowhere, or twice", () => {
    expect(() => insertText("a\na\n", "x", 'after "a"')).toThrow("2 lines");
    expect(() => insertText("a\n", "x", "below a")).toThrow("insert wants");
    expect(() => applyDiff("a\n", "-b\n+x")).toThrow("0 times");
  });
});
