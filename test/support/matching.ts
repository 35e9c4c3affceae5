import { expect } from "@jest/globals";

/** What a text has to be: the same text, or one that matches a pattern. */
export function matching(want: string | RegExp): unknown {
  return want instanceof RegExp ? expect.stringMatching(want) : want;
}
