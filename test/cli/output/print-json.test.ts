import { expect, test } from "@jest/globals";
import { printJson } from "../../../src/cli/output/context.js";

test("JSON on a terminal neither controls it nor looks like other text, and keeps its value", () => {
  let printed = "";
  const stdout = { write: (text: string) => (printed += text) };
  const value = { "\u009b31m": "\u202egnp\u2028", text: 'a "quoted"\n\ttext, é and 🐕' };
  printJson(value, { cwd: "", stdout, stderr: stdout, program: "tenon" });
  expect(printed).toBe(
    String.raw`{
  "\u009b31m": "\u202egnp\u2028",
  "text": "a \"quoted\"\n\ttext, é and 🐕"
}
`,
  );
  expect(JSON.parse(printed)).toEqual(value);
});
