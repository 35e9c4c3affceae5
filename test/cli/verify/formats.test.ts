import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { FORMATS } from "../../../src/cli/values/index.js";
import { REQUEST_FORMATS } from "../../../src/cli/verify/formats.js";
import { createValidator } from "../../../src/cli/verify/validator.js";
import { SchemaRegistry } from "../../../src/tenon/core/schema/index.js";
import { createEov } from "../../../src/tenon/runtime/validation/eov.js";
import { createSideSchemas } from "../../../src/tenon/runtime/validation/schemas.js";

const isInteger = (format: string): boolean => format.startsWith("int");

/** Prepares the validators of verify and of the runtime for a format. */
async function prepare(format: string) {
  const schema = { type: isInteger(format) ? "integer" : "string", format };
  const registry = new SchemaRegistry({ openapi: "3.1.0", components: { schemas: { Own: schema } } });
  const own = registry.component("Own");
  const validator = createValidator({ registry, side: "request" });
  await validator.prepare([own]);
  const { request } = createEov();
  const enforce = request.compileValue(createSideSchemas(registry, "request", request).write(own));
  return {
    find: (value: unknown) => validator.find(own, value)?.keyword,
    isRefused: (value: unknown) => enforce(value).length > 0,
    close: () => {
      validator.close();
    },
  };
}

describe.each([...REQUEST_FORMATS].map(([format, { invalid }]) => ({ format, invalid })))(
  "the format $format",
  ({ format, invalid }) => {
    test("has invalid values that the runtime refuses, too", async () => {
      const { find, isRefused, close } = await prepare(format);
      const seen = invalid.map((value) => [find(value), isRefused(value)]);
      close();
      expect(seen.length).toBeGreaterThan(0);
      expect(seen).toEqual(invalid.map(() => ["format", true]));
    });

    test("has generated values that verify and the runtime accept", async () => {
      const { find, isRefused, close } = await prepare(format);
      const made = isInteger(format)
        ? [0, 1, -1, 2 ** 31 - 1]
        : fc.sample(FORMATS.get(format) ?? fc.string(), { numRuns: 20, seed: 1 });
      const refused = made.filter((value) => find(value) !== undefined || isRefused(value));
      close();
      expect(refused).toEqual([]);
    });
  },
);

test("every format that the runtime enforces is checked, except regex", async () => {
  const names = [...FORMATS.keys(), "float", "double", "binary", "password"];
  const enforced: string[] = [];
  for (const format of names) {
    const { isRefused, close } = await prepare(format);
    if (isRefused(isInteger(format) ? 2 ** 64 : "surely [( not")) enforced.push(format);
    close();
  }
  // Ajv asserts these, although no standard defines them.
  const others = ["iso-date-time", "iso-time", "url", "json-pointer-uri-fragment"];
  expect(enforced.filter((format) => !others.includes(format)).sort()).toEqual(
    [...REQUEST_FORMATS.keys(), "regex"].sort(),
  );
});
