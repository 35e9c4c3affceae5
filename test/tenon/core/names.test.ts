import { describe, expect, test } from "@jest/globals";
import { toMethodNames, UniqueNames } from "../../../src/tenon/core/model/names.js";

describe("unique names", () => {
  test("get underscores, and then a number", () => {
    const names = new UniqueNames(["delete"]);
    const wanted = ["list", "list", "list_", "delete", "list", "list", "list", "list", "list_4"];
    expect(wanted.map((name) => names.add(name))).toEqual([
      ...["list", "list_", "list__", "delete_", "list___", "list_4", "list_5", "list_6", "list_4_"],
    ]);
  });

  test("are short, however many are wanted", () => {
    const names = new UniqueNames();
    const all = Array.from({ length: 100_000 }, () => names.add("list"));
    expect(new Set(all).size).toBe(all.length);
    expect(all.at(-1)).toBe("list_99999");
  });
});

describe("toMethodNames", () => {
  test.each<[given: string[], want: string[]]>([
    [
      ["application/json", "text/csv"],
      ["json", "csv"],
    ],
    [["application/problem+json"], ["problemJson"]],
    [["application/vnd.x.v2+json"], ["vndXV2Json"]],
    [
      ["Image/PNG", "video/3gpp"],
      ["png", "_3gpp"],
    ],
    [["text/csv; header=present"], ["csv"]],
    [
      ["image/*", "text/*", "*/*"],
      ["image", "text", "any"],
    ],
    [
      ["application/json", "text/json", "text/csv"],
      ["applicationJson", "textJson", "csv"],
    ],
    [
      ["image/*", "application/image"],
      ["imageAny", "applicationImage"],
    ],
    [
      ["application/json; version=1", "application/json; version=2"],
      ["applicationJsonVersion1", "applicationJsonVersion2"],
    ],
    [
      ["application/x.y+json", "application/x-y+json"],
      ["applicationXYJson", "applicationXYJson_"],
    ],
    [["application/*+json"], ["anyJson"]],
  ])("%j is %j", (given, want) => {
    expect(toMethodNames(given)).toEqual(want);
  });
});
