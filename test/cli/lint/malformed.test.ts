import { expect, test } from "@jest/globals";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import createPlugin from "../../../src/cli/lint/index.js";

/** A document with every node that a rule of ours looks at. */
const DOCUMENT = {
  openapi: "3.1.0",
  security: [{ key: [] }],
  paths: {
    "/pets/{petId}": {
      parameters: [{ name: "petId", in: "path", schema: { type: "integer", default: 1 } }],
      get: {
        operationId: "getPet",
        deprecated: true,
        "x-deprecated-since": "2026-11-21",
        "x-sunset": "2030-12-05",
        "x-replaced-by": "getPet",
        security: [{ key: [] }],
        parameters: [{ name: "a", in: "query", examples: { one: { $ref: "#/components/examples/One" } } }],
        responses: {
          "400": {
            headers: { Limit: { schema: {}, example: 1, examples: { one: { value: 1 } } } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
          },
        },
      },
    },
  },
  components: { examples: { One: { value: 1 } }, schemas: { Error: { type: "object" } } },
};

/** The document with each of its nodes replaced in turn. */
function* replacements(node: unknown, replacement: unknown): Generator {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    // Redocly itself refuses a document whose `openapi` it cannot read.
    if (key === "openapi") continue;
    for (const replaced of [replacement, ...replacements(value, replacement)]) {
      yield Array.isArray(node) ? [replaced] : { ...node, [key]: replaced };
    }
  }
}

const rules = Object.keys(createPlugin().rules?.oas3 ?? {}).map((name) => [`tenon/${name}`, "warn"] as const);
const config = await createConfig({ plugins: [createPlugin()], rules: Object.fromEntries(rules) });

const values: readonly unknown[] = [null, 7, "text", [null], { key: null }];

test.each(values)("no rule fails where a node is %j", async (replacement) => {
  for (const document of replacements(DOCUMENT, replacement)) {
    const source = JSON.stringify(document);
    await expect(lintFromString({ source, config })).resolves.toBeInstanceOf(Array);
  }
});
