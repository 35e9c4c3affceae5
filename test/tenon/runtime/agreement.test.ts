// @thorough: compares thousands of requests with another validator.
import { describe, expect, test } from "@jest/globals";
import { createParameterReader, parseQuery } from "../../../src/tenon/runtime/parameters/read-parameters.js";
import { findTypeErrors, generate, isValid, sameValue } from "./agreement.js";
import { type Case, createCases, createRandom } from "./agreement-cases.js";
import { createBracketCases } from "./bracket-cases.js";
import { accepted } from "../../support/accepted.js";

const RANDOM = createRandom(20_261_121);
const CASES = [...createCases(400, RANDOM), ...createBracketCases(200, RANDOM)];
const PLACES = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;

const { server, operations } = generate(
  Object.fromEntries(
    CASES.map(({ parameter }, index) => [
      `/${index}${parameter.in === "path" ? "/{p}" : ""}`,
      {
        get: {
          operationId: `op${index}`,
          parameters: [parameter],
          responses: { "204": { description: "Done." } },
        },
      },
    ]),
  ),
);

/** What a handler would get. */
function receive({ parameter, wire }: Case, index: number): { readonly value: unknown } | "refused" {
  const { operation, validator } = operations[index] ?? {};
  if (operation === undefined || validator === undefined) throw new Error(`There is no operation ${index}`);
  const place = parameter.in;
  const raw = {
    path: place === "path" ? { p: wire } : {},
    query: parseQuery(place === "query" ? wire : ""),
    search: "",
    lines: (header: string) => (header === (place === "header" ? "p" : place) ? [wire] : undefined),
  };
  try {
    const parameters = createParameterReader(operation)(raw);
    const values = accepted(validator.request({ parameters, mediaType: undefined, body: undefined }));
    return { value: values[PLACES[place]]["p"] };
  } catch (error) {
    expect(error).toMatchObject({ name: "HttpError", status: 400, code: "invalid_parameter" });
    return "refused";
  }
}

describe("what a handler gets", () => {
  const told = CASES.map((one, index) => ({ ...one, got: receive(one, index) }));

  test("is what was written, wherever that is valid, and nothing else is accepted", () => {
    const wrong = told.filter(({ parameter, want, got }) => {
      const valid = want !== undefined && isValid(parameter.schema, want);
      if (got === "refused") return valid;
      return !valid || !sameValue(got.value, want);
    });
    expect(wrong).toEqual([]);
  });

  test("is valid against the declared schema, and both outcomes occur often", () => {
    const accepted = told.flatMap(({ parameter, got }) =>
      got === "refused" ? [] : [{ schema: parameter.schema, value: got.value }],
    );
    expect(accepted.filter(({ schema, value }) => !isValid(schema, value))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(100);
    expect(told.length - accepted.length).toBeGreaterThan(100);
  });

  test("is of the generated type", () => {
    const lines = told.flatMap(({ parameter, got }, index) => {
      if (got === "refused") return [];
      const type = `NonNullable<Op${index}Request["${PLACES[parameter.in]}"]>["p"]`;
      return [`export const v${index}: ${type} = ${JSON.stringify(got.value)};`];
    });
    expect(lines.length).toBeGreaterThan(100);
    // The last line shows that a wrong one is found.
    const wrong = 'export const wrong: Op0Request["body"] = "wrong";';
    const errors = findTypeErrors(`${server}\n${lines.join("\n")}\n${wrong}\n`);
    expect(errors.map(({ line }) => line)).toEqual([wrong]);
  });
});
