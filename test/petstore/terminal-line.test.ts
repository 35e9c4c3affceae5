import { expect, test } from "@jest/globals";
import { toTerminalLine } from "../../src/petstore/terminal-line.js";

const line = (fields: object, level = 30, msg = "request") =>
  `${JSON.stringify({ level, time: "2026-01-02T10:15:02.123Z", pid: 7, ...fields, msg })}\n`;

test.each([
  [
    "the fields of a request",
    line({ method: "GET", path: "/v1/pets", status: 200, durationMs: 0.5 }),
    "10:15:02.123 info  request method=GET path=/v1/pets status=200 durationMs=0.5\n",
  ],
  [
    "a text with spaces, control characters and a change of direction",
    line({ path: "/a b\u001b[2J\u009b\u202e\n" }, 40),
    '10:15:02.123 warn  request path="/a b\\u001b[2J\\u009b\\u202e\\n"\n',
  ],
  [
    "an error with its stack",
    line(
      { err: { type: "Error", message: "no", stack: "Error: no\n    at one (a.ts:1)\u001b" } },
      50,
      "failed",
    ),
    "10:15:02.123 error failed\n  Error: no\n  at one (a.ts:1)\\u001b\n",
  ],
  [
    "other values",
    line({ list: [1, "é"], none: null }),
    '10:15:02.123 info  request list=[1,"\\u00e9"] none=null\n',
  ],
])("a line for a terminal has %s", (_, given, want) => {
  expect(toTerminalLine(given)).toBe(want);
});
