// @thorough: compares hundreds of schemas in both directions.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { listChanges, toContract } from "./pair.js";

type Pair = readonly [name: string, base: unknown, revision: unknown, forth: string[], back: string[]];

interface Group {
  readonly name: string;
  readonly pairs: readonly Pair[];
}

const groups = parse(
  readFileSync(new URL("./pairs/schemas.yaml", import.meta.url), "utf8"),
) as readonly Group[];

/** `enum-added breaking/safe` is `breaking request-enum-added` and `safe response-enum-added`. */
function toChanges(expected: readonly string[]): readonly string[] {
  return expected
    .flatMap((one) => {
      const [fact = "", levels = ""] = one.split(" ");
      return levels.split("/").flatMap((level, index) => {
        return level === "-" ? [] : [`${level} ${index === 0 ? "request" : "response"}-${fact}`];
      });
    })
    .sort();
}

describe.each(groups)("$name", ({ pairs }) => {
  test.each(pairs)("%s", async (_, base, revision, forth, back) => {
    const [before, after] = [toContract(base), toContract(revision)];
    expect(await listChanges(before, after)).toEqual(toChanges(forth));
    expect(await listChanges(after, before)).toEqual(toChanges(back));
  });
});
