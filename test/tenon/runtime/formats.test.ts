import { describe, expect, test } from "@jest/globals";
import formats from "ajv-formats/dist/formats.js";
import { problemsOf } from "../../cli/lint/problems-of.js";
import { generate } from "./agreement.js";
import { accepted } from "../../support/accepted.js";

/**
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 * @see https://spec.openapis.org/registry/format/
 */
const STANDARD = [
  ...["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference"],
  ...["uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex"],
  ...["byte", "binary", "password", "int32", "int64", "float", "double"],
];

/** A text that no format of a string allows. */
const TEXT = "\\ [";

const known = formats.formatNames;
const isString = (format: string) =>
  !["int32", "int64", "float", "double", "binary", "password"].includes(format);

function isAccepted(format: string): boolean {
  const schema = { type: "string", format };
  const body = { required: true, content: { "application/json": { schema } } };
  const { operations } = generate({ "/a": { post: { requestBody: body, responses: {} } } });
  try {
    accepted(operations[0]?.validator.request({ parameters: {}, mediaType: "application/json", body: TEXT }));
    return true;
  } catch {
    return false;
  }
}

describe("a format that neither JSON Schema nor OpenAPI's registry defines is an annotation", () => {
  const others = [...known.filter((format) => !STANDARD.includes(format)), "phone"];

  test("the validator's package has such formats", () => {
    expect(others).toContain("url");
  });

  test.each(others)("%s in a request", (format) => {
    expect(isAccepted(format)).toBe(true);
  });

  test.each(others)("%s of an example", async (format) => {
    const source = JSON.stringify({
      openapi: "3.1.0",
      paths: {},
      components: {
        schemas: { A: { type: "string", format, examples: [TEXT] } },
      },
    });
    expect(await problemsOf(source, { rule: "tenon/examples-conform" })).toEqual([]);
  });
});

test.each(known.filter((format) => STANDARD.includes(format) && isString(format)))(
  "the standard format %s is enforced",
  (format) => {
    expect(isAccepted(format)).toBe(false);
  },
);
