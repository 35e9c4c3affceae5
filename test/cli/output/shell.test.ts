import { expect, test } from "@jest/globals";
import { quoteForCommandPrompt } from "../../../src/cli/output/shell.js";

test.each([
  ["npm", "npm"],
  ["--test-reporter=spec", "--test-reporter=spec"],
  [String.raw`C:\tools\node.exe`, String.raw`C:\tools\node.exe`],
  ["test/*.test.ts", '"test/*.test.ts"'],
  ["My Service", '"My Service"'],
  ["a&b", '"a&b"'],
  ['say "hi"', String.raw`"say \"hi\""`],
  ["", '""'],
])("quoteForCommandPrompt: %s becomes %s", (text, want) => {
  expect(quoteForCommandPrompt(text)).toBe(want);
});
