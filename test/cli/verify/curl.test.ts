import { execFileSync } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import { toCurl } from "../../../src/cli/output/curl.js";

/** The words that a shell hands to curl. */
function toWords(line: string): readonly string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${line}`;
  const env = { TENON_AUTH_KEY: "sec ret", SECRET: "leaked", PATH: process.env["PATH"] };
  return execFileSync("sh", ["-c", script], { encoding: "utf8", env }).trimEnd().split("\n");
}

describe("a curl line", () => {
  test("reads credentials from variables, and runs no code in a contract's names and paths", () => {
    const shownPath = '/$(echo ran)/`echo ran`/"$SECRET"\\?key=$TENON_AUTH_KEY';
    const headers = [
      { name: "Authorization", value: "Basic x", shown: 'Basic $(printf %s "$TENON_AUTH_KEY" | base64)' },
      { name: "X-`echo ran`$SECRET", value: "x", shown: "$TENON_AUTH_KEY" },
      { name: "Plain", value: "$(echo ran)'", shown: "$(echo ran)'" },
    ];
    const line = toCurl({ method: "GET", shownPath, headers }, "https://a.example");
    expect(toWords(line)).toEqual([
      "-i",
      "-H",
      "Authorization: Basic c2VjIHJldA==",
      "-H",
      "X-`echo ran`$SECRET: sec ret",
      "-H",
      "Plain: $(echo ran)'",
      'https://a.example/$(echo ran)/`echo ran`/"$SECRET"\\?key=sec ret',
    ]);
  });
});
