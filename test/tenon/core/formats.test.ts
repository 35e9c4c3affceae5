import { isIPv6 } from "node:net";
import { expect, test } from "@jest/globals";
import formats from "ajv-formats/dist/formats.js";
import fc from "fast-check";
import { TEXT_FORMATS } from "../../../src/tenon/core/validation/index.js";

/** Characters of texts in each format, and texts to change. */
const TEXTS: Readonly<Record<string, readonly [characters: string, ...texts: string[]]>> = {
  duration: ["P1YMDTHSW", "P1Y2M", "PT1H", "P3W"],
  email: ["a.@-_!x1", "a@b.c", "a.b@c-d.e"],
  hostname: ["a-.1A_", "a.b", "a-b.c."],
  ipv4: ["0125.", "1.2.3.4", "255.0.10.1"],
  ipv6: ["0aF:.12", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::8", "1:2:3:4:5:6:1.2.3.4"],
  "json-pointer": ["/~01a", "/a/b"],
  regex: ["\\Z[a]()*+", "^a+$"],
  "relative-json-pointer": ["/~01a#9", "1/a", "0#"],
  "uri-template": ["{}a,:*1+%2f /", "{a,b:3}", "x{+a*}/y"],
  uuid: ["urn:id-0a", "123e4567-e89b-12d3-a456-426614174000"],
};

type Test = RegExp | ((text: string) => boolean);

/** The validator's own definition, which the test compares with. */
function getOriginal(format: string): (text: string) => boolean {
  const found = (formats.fastFormats as Readonly<Record<string, Test>>)[format];
  if (found instanceof RegExp) return (text) => found.test(text);
  if (typeof found === "function") return found;
  throw new Error(`Unknown format ${format}`);
}

test.each(Object.entries(TEXTS))(
  "%s accepts the same texts as the validator's own format",
  (format, [characters, ...texts]) => {
    const original = getOriginal(format);
    const piece = fc.string({ unit: fc.constantFrom(...Array.from(characters)), maxLength: 20 });
    const changed = fc
      .tuple(
        fc.constantFrom(...texts),
        fc.string({ unit: fc.constantFrom(...Array.from(characters)), maxLength: 3 }),
        fc.nat(40),
      )
      .map(([text, inserted, at]) => text.slice(0, at) + inserted + text.slice(at));
    for (const text of texts) expect(TEXT_FORMATS[format]?.(text)).toBe(true);
    fc.assert(
      fc.property(fc.oneof(piece, changed), (text) => {
        expect([text, TEXT_FORMATS[format]?.(text)]).toEqual([text, original(text)]);
        if (format === "ipv6") expect([text, isIPv6(text)]).toEqual([text, original(text)]);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  },
);

test("byte is base64 on one line", () => {
  for (const text of ["", "AAAA", "AA==", "AAA=", "+/9z"]) expect(TEXT_FORMATS["byte"]?.(text)).toBe(true);
  // The validator's own accepts a text with one valid or empty line.
  for (const text of ["A", "AA=", "A===", "====", "AA==AA==", "!!!\n", "AAAA\n!!!!"])
    expect(TEXT_FORMATS["byte"]?.(text)).toBe(false);
});
