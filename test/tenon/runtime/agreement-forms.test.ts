// @thorough: compares thousands of forms with another validator.
import { describe, expect, test } from "@jest/globals";
import { createFormReader, type FormReader } from "../../../src/tenon/runtime/body/form.js";
import { parseMultipart } from "../../../src/tenon/runtime/body/multipart.js";
import { parseQuery } from "../../../src/tenon/runtime/parameters/read-parameters.js";
import { findTypeErrors, generate, isValid, sameValue } from "./agreement.js";
import { type Case, createCases, createRandom } from "./agreement-cases.js";
import { createBracketCases } from "./bracket-cases.js";
import { accepted } from "../../support/accepted.js";

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const RANDOM = createRandom(20_261_122);
const LIMITS = { parts: 100, fieldBytes: 10_000, fileBytes: 10_000, memoryBytes: 10_000 };

interface FormCase {
  readonly mediaType: typeof FORM | typeof MULTIPART;
  readonly schema: object;
  readonly encoding: object | undefined;
  /** URL-encoded, whatever the media type. */
  readonly wire: string;
  readonly want: unknown;
}

const CASES = [...createCases(600, RANDOM), ...createBracketCases(200, RANDOM)]
  .filter(({ parameter }) => parameter.in === "query")
  .flatMap(toFormCases);

function toFormCases({ parameter, wire, wantInForm: want }: Case): readonly FormCase[] {
  const { schema, style, explode } = parameter;
  const styled = { schema, encoding: { style, explode }, wire, want };
  const inJson = want !== undefined && "type" in schema && schema.type === "object";
  const json = JSON.stringify(want);
  return [
    { ...styled, mediaType: FORM },
    // A part has no escapes: what delimits cannot be in a value.
    ...(explode || style === "deepObject" ? [{ ...styled, mediaType: MULTIPART } as const] : []),
    ...(inJson ? [toJsonCase(schema, json)] : []),
  ];
}

/** A field without a style. */
function toJsonCase(schema: object, json: string): FormCase {
  const want = JSON.parse(json) as unknown;
  return { mediaType: FORM, schema, encoding: undefined, wire: `p=${encodeURIComponent(json)}`, want };
}

const { server, operations } = generate(
  Object.fromEntries(
    CASES.map(({ mediaType, schema, encoding }, index) => [
      `/${index}`,
      {
        post: {
          operationId: `op${index}`,
          requestBody: {
            required: true,
            content: {
              [mediaType]: {
                schema: { type: "object", properties: { p: schema } },
                ...(encoding && { encoding: { p: encoding } }),
              },
            },
          },
          responses: { "204": { description: "Done." } },
        },
      },
    ]),
  ),
);

/** What a handler would get. */
async function receive(one: FormCase, index: number): Promise<{ readonly value: unknown } | "refused"> {
  const { mediaType, wire } = one;
  const { operation, validator } = operations[index] ?? {};
  if (operation === undefined || validator === undefined) throw new Error(`There is no operation ${index}`);
  const { form } = operation.requestBody?.mediaTypes[0] ?? {};
  if (typeof form !== "object") throw new Error("The body is not read as a form");
  const reader = createFormReader(form);
  try {
    const sent =
      mediaType === FORM
        ? { texts: parseQuery(wire), files: new Map<string, never>() }
        : await parseParts(wire, reader);
    const { body } = accepted(validator.request({ parameters: {}, mediaType, body: reader.read(sent) }));
    return { value: (body as { p?: unknown }).p };
  } catch (error) {
    expect(error).toMatchObject({ name: "HttpError", status: 400, code: "invalid_body" });
    return "refused";
  }
}

function parseParts(wire: string, { findField }: FormReader): ReturnType<typeof parseMultipart> {
  const parts = [...new URLSearchParams(wire)].map(
    ([name, value]) => `--x7\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const contentType = `${MULTIPART}; boundary=x7`;
  return parseMultipart([Buffer.from(`${parts.join("")}--x7--\r\n`)], {
    contentType,
    findField,
    limits: LIMITS,
    temporaryFolder: "",
    onFiles: () => undefined,
  });
}

describe("the form that a handler gets", () => {
  const told = Promise.all(CASES.map(async (one, index) => ({ ...one, got: await receive(one, index) })));

  test("is what was written, wherever that is valid, and nothing else is accepted", async () => {
    const wrong = (await told).filter(({ schema, want, got }) => {
      const valid = want !== undefined && isValid(schema, want);
      if (got === "refused") return valid;
      return !valid || !sameValue(got.value, want);
    });
    expect(wrong).toEqual([]);
  });

  test("is of each kind often, and both outcomes occur often", async () => {
    for (const mediaType of [FORM, MULTIPART]) {
      const own = (await told).filter((one) => one.mediaType === mediaType);
      expect(own.filter(({ got }) => got === "refused").length).toBeGreaterThan(50);
      expect(own.filter(({ got }) => got !== "refused").length).toBeGreaterThan(50);
    }
    expect((await told).filter(({ encoding }) => encoding === undefined).length).toBeGreaterThan(20);
  });

  test("is of the generated type", async () => {
    const lines = (await told).flatMap(({ got }, index) => {
      if (got === "refused") return [];
      const type = `Op${index}Request["body"]["p"]`;
      // Not assigned directly: a value may have properties that its schema allows and does not declare.
      return [
        `const w${index} = [${JSON.stringify(got.value)}] as const;\nexport const v${index}: ${type} = w${index}[0];`,
      ];
    });
    // The last line shows that a wrong one is found.
    const wrong = 'export const wrong: Op0Request["body"] = "wrong";';
    const errors = findTypeErrors(`${server}\n${lines.join("\n")}\n${wrong}\n`);
    expect(errors.map(({ line }) => line)).toEqual([wrong]);
  });
});
