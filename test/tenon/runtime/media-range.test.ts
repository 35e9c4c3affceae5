import { describe, expect, test } from "@jest/globals";
import { findDeclared, parseMediaType } from "../../../src/tenon/runtime/response/media-range.js";

describe("findDeclared", () => {
  test.each<[actual: string, declared: string[], want: string | undefined]>([
    ["application/json", ["application/json"], "application/json"],
    ["Application/JSON; charset=UTF-8", ["application/json"], "application/json"],
    ["image/png", ["*/*", "image/*", "image/png"], "image/png"],
    ["image/webp", ["*/*", "image/*", "image/png"], "image/*"],
    ["text/plain", ["*/*", "image/*"], "*/*"],
    ["imagery/png", ["image/*"], undefined],
    ["application/vnd.a+json", ["application/*", "application/*+json"], "application/*+json"],
    ["application/json", ["application/*+json"], undefined],
    ["application/a+xml", ["application/*+json"], undefined],
    [
      "application/json; version=2",
      ["application/json", "application/json; version=2"],
      "application/json; version=2",
    ],
    ["application/json", ["application/json; version=2"], undefined],
    ["application/json", ["application/json; charset=utf-8"], "application/json; charset=utf-8"],
    ["application/problem+json", ["application/json"], undefined],
  ])("%s of %j is %s", (actual, declared, want) => {
    const parsed = parseMediaType(actual);
    if (parsed === undefined) throw new Error("no media type");
    expect(findDeclared(declared, parsed)).toBe(want);
  });
});
