import { expect, test } from "@jest/globals";
import { findNextLink } from "../../../src/tenon/core/http/index.js";
import { countSteps } from "../../support/regexp-steps.js";

test.each([
  ['</v1/pets?cursor=7>; rel="next"', "/v1/pets?cursor=7"],
  ["<a>; rel=prev, <b>; rel=next", "b"],
  ['<a>;rel="prev Next"', "a"],
  ["<a>;;rel = NEXT;foo", "a"],
  ['<a>; anchor="#x"; rel=next, <b> ; rel = "next"', "b"],
  ["<a,b;c>;rel=next", "a,b;c"],
  ['<a>; title="x, <c>; rel=next"; rel=prev', undefined],
  ['<a>; title="q\\"<z>;rel=next";rel=next', "a"],
  ['<a>; rel="nextx"', undefined],
  ["<a>; rel=prev; rel=next", undefined],
  ["<a>", undefined],
  ["rel=next", undefined],
  ["", undefined],
])("the next page of %s is %s", (link, address) => {
  expect(findNextLink(link)).toBe(address);
});

/** Counts the steps of all regular expressions. */
function countAllSteps(link: string): number {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with a `this`.
  const { exec } = RegExp.prototype;
  let steps = 0;
  RegExp.prototype.exec = function countingExec(this: RegExp, text: string) {
    const { source, flags, lastIndex } = this;
    RegExp.prototype.exec = exec;
    steps += countSteps(new RegExp(source, flags.replace("g", "")), text.slice(lastIndex)).steps;
    RegExp.prototype.exec = countingExec;
    return exec.call(this, text);
  };
  try {
    findNextLink(link);
  } finally {
    RegExp.prototype.exec = exec;
  }
  return steps;
}

test.each([
  ["quotes without an end", '<>;a="\\', '"<>;a=\\'],
  ["spaces", "<a>;rel=", " "],
  ["links", "", "<a>;b "],
  ["parameters", "<a>", " ;b=c"],
])("a header with many %s takes time in proportion to its length", (_, first, text) => {
  const [small, large] = [40, 80].map((count) => countAllSteps(first + text.repeat(count)));
  expect((large ?? 0) / (small ?? 0)).toBeLessThan(2.5);
});
