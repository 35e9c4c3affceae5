// @thorough: compares thousands of bodies with another validator.
import { describe, expect, test } from "@jest/globals";
import { COMPONENTS, createSchema, createValue } from "./agreement-schemas.js";
import { createRandom } from "./agreement-cases.js";
import { findTypeErrors, generate } from "./agreement.js";
import { accepted } from "../../support/accepted.js";
import { toCount } from "../../support/to-count.js";

const SEED = 20_261_121;
const SCHEMAS = toCount(60);
const VALUES = 30;

const random = createRandom(SEED);
const schemas = Array.from({ length: SCHEMAS }, () => createSchema(random));

const { server, operations } = generate(
  Object.fromEntries(
    schemas.map((schema, index) => [
      `/${index}`,
      {
        post: {
          operationId: `op${index}`,
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: { "204": { description: "Done." } },
        },
      },
    ]),
  ),
  { schemas: COMPONENTS },
);

interface Told {
  readonly index: number;
  readonly schema: object;
  readonly sent: unknown;
  /** What a handler gets, defaults applied; undefined when it is refused. */
  readonly got: { readonly body: unknown } | undefined;
}

const told = schemas.flatMap((schema, index): Told[] => {
  const { validator } = operations[index] ?? {};
  if (validator === undefined) throw new Error(`There is no operation ${index}`);
  return Array.from({ length: VALUES }, () => {
    const sent = createValue(schema, random) ?? null;
    try {
      const { body } = accepted(
        validator.request({
          parameters: {},
          mediaType: "application/json",
          body: structuredClone(sent),
        }),
      );
      return { index, schema, sent, got: { body } };
    } catch (error) {
      expect(error).toMatchObject({ name: "HttpError", status: 400, code: "invalid_body" });
      return { index, schema, sent, got: undefined };
    }
  });
});

describe("a body that a handler gets", () => {
  test("is often accepted, and often refused", () => {
    const accepted = told.filter(({ got }) => got !== undefined).length;
    expect(accepted).toBeGreaterThan(told.length / 4);
    expect(told.length - accepted).toBeGreaterThan(told.length / 4);
  });

  test("is of the generated type", () => {
    const lines = told.flatMap(({ index, got }, at) =>
      // By way of a variable, because undeclared members are valid and only those of a literal are an error to the compiler.
      got === undefined
        ? []
        : [`const v${at} = ${emitConst(got.body)}; export const c${at}: Op${index}Request["body"] = v${at};`],
    );
    // The last line shows that a wrong one is found.
    const wrong = 'export const wrong: Tree = "wrong";';
    const errors = findTypeErrors(`${server}\n${lines.join("\n")}\n${wrong}\n`);
    expect(errors.filter(({ line }) => line !== wrong)).toEqual([]);
    expect(errors).toHaveLength(1);
  });
});

function emitConst(value: unknown): string {
  return value === null ? "null" : `${JSON.stringify(value)} as const`;
}
