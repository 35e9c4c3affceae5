import { describe, expect, test } from "@jest/globals";
import { countLines } from "../../../src/cli/project/index.js";

describe("countLines", () => {
  test.each([
    ["nothing", "a\nb\n", "a\nb\n", 0, 0],
    ["a new text", "", "a\nb\n", 2, 0],
    ["an emptied text", "a\nb\n", "", 0, 2],
    ["a line in the middle", "a\nb\nc\n", "a\nx\nc\n", 1, 1],
    ["the first line", "ab\nc\n", "b\nc\n", 1, 1],
    ["the last line", "a\nb\n", "a\nbc\n", 1, 1],
    ["one of two lines alike, added", "a\nb\n", "a\na\nb\n", 1, 0],
    ["an empty line, removed", "a\n\n\nb\n", "a\n\nb\n", 0, 1],
    ["a line moved", "a\nb\nc\n", "b\nc\na\n", 0, 0],
    ["the end of the last line", "a\nb", "a\nb\n", 0, 0],
  ])("%s", (_, before, after, added, removed) => {
    expect(countLines(before, after)).toEqual({ added, removed });
  });
});
