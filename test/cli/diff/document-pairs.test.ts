// @thorough: compares every pair of documents with a validator.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { type Edit, applyEdit } from "./edit.js";
import { listChanges } from "./pair.js";

const read = (name: string): unknown =>
  parse(readFileSync(new URL(`./pairs/${name}`, import.meta.url), "utf8"));

const base = read("base.yaml") as Node;
/** An edit of the base contract; `base` prepares the contract before it. */
type PairEdit = Edit & { readonly base?: Edit };

const pairs = read("documents.yaml") as readonly [string, PairEdit, string[], string[]][];

describe("an edit of a contract, and its reversal", () => {
  test.each(pairs)("%s", async (_, edit, forth, back) => {
    const prepared = applyEdit(base, edit.base ?? {});
    const revision = applyEdit(prepared, edit);
    expect(await listChanges(prepared, revision)).toEqual([...forth].sort());
    expect(await listChanges(revision, prepared)).toEqual([...back].sort());
  });

  test("without an edit there is no change", async () => {
    expect(await listChanges(base, structuredClone(base))).toEqual([]);
  });
});
