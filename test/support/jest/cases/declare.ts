import { appendFileSync } from "node:fs";
import process from "node:process";
import { afterAll, expect, test } from "@jest/globals";
import * as sources from "../../../../src/tenon/core/document/pointer.js";

/** The sources that the test files of this process have seen so far. */
const known: object[] = ((globalThis as { knownSources?: object[] }).knownSources ??= []);
if (!known.includes(sources)) known.push(sources);
const { CASE } = process.env;
const cwd = process.cwd();
let evaluations = 0;

function log(line: string): void {
  appendFileSync(process.env["CASES"] ?? "", `${line}\n`);
}

/** Declares a test that changes the process, and one that fails. */
export function declareCases(name: string): void {
  test("the process is as before, and this module as new", () => {
    expect(CASE).toBeUndefined();
    expect(cwd).not.toBe("/");
    expect((evaluations += 1)).toBe(1);
    log(`${name} has sources ${known.indexOf(sources)}`);
    process.env["CASE"] = name;
    process.chdir("/");
  });

  test("fails", () => {
    interface Left {
      readonly name: string;
    }
    const left: Left = { name };
    expect(left).toEqual({ name: "other" });
  });
}

afterAll(() => {
  log(`${String(process.env["CASE"])} ended`);
});
