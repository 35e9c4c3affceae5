import { describe, expect, test } from "@jest/globals";
import { toMethodNames } from "../../../src/tenon/core/model/names.js";

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
