import { expect, test } from "@jest/globals";
import { toMessage } from "../../../src/cli/impact/compiler.js";

test.each([
  [
    "Property 'd' is missing in type '{ a({ query: { limit } }: AQuery, reply: AReplies, context: Context): Reply<...>; b(): Reply<...>...' but required in type 'Handlers<Context>'.",
    "Property 'd' is missing in type '{ … }' but required in type 'Handlers<Context>'.",
  ],
  [
    "Type '{ id: number; }' is not assignable to type 'Pet'.",
    "Type '{ id: number; }' is not assignable to type 'Pet'.",
  ],
  ["Type 'A' is\n  not B.", "Type 'A' is not B."],
])("what the compiler says fits on a line: %s", (messageText, told) => {
  expect(toMessage({ messageText })).toBe(told);
});
