import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { AjvOptions } from "express-openapi-validator/dist/framework/ajv/options.js";
import { RequestValidator } from "express-openapi-validator/dist/middlewares/openapi.request.validator.js";
import { ResponseValidator } from "express-openapi-validator/dist/middlewares/openapi.response.validator.js";

interface Problem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly schema?: unknown;
}

type Validate = ((value: object) => unknown) & { readonly errors?: readonly Problem[] | null };

interface Validator {
  readonly ajvBody: {
    compile(schema: object): Validate;
    addSchema(schema: object, uri: string): unknown;
  };
}

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const toNumbers = (version: string): readonly number[] => version.split(".").map(Number);

/** Negative when the first version is the lower one. */
function compare(one: string, other: string): number {
  const others = toNumbers(other);
  return (
    toNumbers(one)
      .map((part, index) => part - (others[index] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  );
}

test("the pinned express-openapi-validator is in the range that eov.ts names", () => {
  const { dependencies } = JSON.parse(read("src/tenon/package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const pinned = dependencies["express-openapi-validator"] ?? "";
  const installed = JSON.parse(read("node_modules/express-openapi-validator/package.json")) as object;
  expect(installed).toMatchObject({ version: pinned });
  const [, from = "", to = ""] =
    /versions (\d+\.\d+\.\d+) to (\d+\.\d+\.\d+)/.exec(read("src/tenon/runtime/validation/eov.ts")) ?? [];
  expect(compare(from, pinned)).toBeLessThanOrEqual(0);
  expect(compare(pinned, to)).toBeLessThanOrEqual(0);
});

describe("undocumented modules of express-openapi-validator", () => {
  const { request, response } = new AjvOptions({
    validateRequests: { allowUnknownQueryParameters: false, coerceTypes: false, allErrors: true },
    validateResponses: { coerceTypes: false, allErrors: true },
    validateFormats: true,
    formats: { weekday: { type: "string", validate: (text: string) => text === "Monday" } },
    ajvFormats: { mode: "fast" },
    serDes: [],
  } as never);
  const own = { strict: false, strictTuples: false, logger: false, verbose: true };
  const document = { openapi: "3.1.0" } as never;
  const validators: Readonly<Record<"request" | "response", unknown>> = {
    request: new RequestValidator(document, { ...request, ...own } as never),
    response: new ResponseValidator(document, { ...response, ...own } as never),
  };

  test.each([
    ["request", { name: "Rex", age: 5 }],
    ["response", { name: "Rex" }],
  ] as const)("%s: compiles JSON Schema 2020-12, with references, formats and defaults", (side, want) => {
    const { ajvBody: ajv } = validators[side] as Validator;
    ajv.addSchema({ type: "string", maxLength: 3 }, "https://example.com/name");
    const validate = ajv.compile({
      type: "object",
      properties: {
        name: { $ref: "https://example.com/name" },
        age: { type: "integer", default: 5 },
        tag: { type: ["string", "null"] },
        size: { type: "number", exclusiveMinimum: 0 },
        pair: { type: "array", prefixItems: [{ const: 1 }] },
        day: { type: "string", format: "weekday" },
      },
    });

    const value = { name: "Rex" };
    expect(validate(value)).toBe(true);
    expect(value).toStrictEqual(want);

    const invalid = { name: "Rover", age: "5", tag: 1, size: 0, pair: [2], day: "May" };
    expect(validate({ ...invalid })).toBe(false);
    const problems = validate.errors ?? [];
    expect(problems.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)).toEqual([
      "/name maxLength",
      "/age type",
      "/tag type",
      "/size exclusiveMinimum",
      "/pair/0 const",
      "/day format",
    ]);
    expect(problems.every(({ schema }) => schema !== undefined)).toBe(true);
  });
});
