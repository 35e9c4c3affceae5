import { describe, expect, test } from "@jest/globals";
import { findMediaType, parseMediaType } from "../../../src/tenon/core/http/media-type.js";

describe("findMediaType", () => {
  test.each<[actual: string, declared: string[], want: string | undefined]>([
    ["application/json", ["application/json"], "application/json"],
    ["Application/JSON; charset=UTF-8", ["application/json"], "application/json"],
    ["text/csv", ["*/*", "Text/CSV"], "Text/CSV"],
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
    ["application/json; Version=A", ["application/json; version=a"], "application/json; version=a"],
    ["application/json", ["application/json; version=2"], undefined],
    ["application/json", ["application/json; charset=utf-8"], "application/json; charset=utf-8"],
    ["application/problem+json", ["application/json"], undefined],
    ["json", ["*/*"], undefined],
  ])("%s of %j is %s", (actual, declared, want) => {
    const mediaTypes = declared.map((name) => ({ name }));
    expect(findMediaType(mediaTypes, actual)?.name).toBe(want);
  });
});

describe("parseMediaType", () => {
  test.each<[text: string, essence: string, parameters: Record<string, string>]>([
    [" Text/HTML ;Charset=UTF-8", "text/html", { charset: "UTF-8" }],
    ["multipart/form-data; boundary=Ab ; boundary=c", "multipart/form-data", { boundary: "Ab" }],
    ['a/b; x="1; y=2"; z="\\"\\\\"', "a/b", { x: "1; y=2", z: '"\\' }],
    ['a/b; x="open; y=2', "a/b", { x: "open; y=2" }],
    ["a/b; x; =1; y=; a b=1; z=3", "a/b", { z: "3" }],
    ["application/*+json", "application/*+json", {}],
  ])("%j", (text, essence, parameters) => {
    expect(parseMediaType(text)).toEqual({ essence, parameters: new Map(Object.entries(parameters)) });
  });

  test.each(["", "json", "/json", "a/", "a/b/c", "a b/c", "a/b c"])("%j is not a media type", (text) => {
    expect(parseMediaType(text)).toBeUndefined();
  });
});
