import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import ts from "typescript";
import { buildModel } from "../../../src/tenon/contract/build-model.js";
import { emitServer } from "../../../src/tenon/emit/server.js";
import type { ContractDocument } from "../../../src/tenon/runtime/contract-document.js";
import type { OperationDescriptor } from "../../../src/tenon/runtime/index.js";
import { createParameterReader } from "../../../src/tenon/runtime/parameters.js";
import { parseQuery } from "../../../src/tenon/runtime/query.js";
import { createValidatorCompiler } from "../../../src/tenon/runtime/validator.js";
import { type Case, COMPONENTS, createCases, createRandom } from "./agreement-cases.js";

const SEED = 20_261_121;
const CASES = createCases(800, createRandom(SEED));
const PLACES = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;

const document: ContractDocument & Record<string, unknown> = {
  openapi: "3.1.0",
  info: { title: "Agreement", version: "1.0.0" },
  paths: Object.fromEntries(
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
  components: COMPONENTS,
};

const contract = buildModel({
  document,
  report: (code, pointer, message) => {
    throw new Error(`${code} ${pointer} ${message}`);
  },
});
const server = emitServer(contract, { source: "agreement", split: false }).get("server.ts") ?? "";

/** The generated table itself, not the model that it was emitted from. */
function readTable(): readonly OperationDescriptor[] {
  const literal = /^export const operations = (\[[^]*?^\]) as const/m.exec(server)?.[1] ?? "";
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- generated just now
  return new Function(`return ${literal}`)() as readonly OperationDescriptor[];
}

const table = readTable();
const compile = createValidatorCompiler(document, table);

/** What a handler would get. */
function receive({ parameter, wire }: Case, index: number): { readonly value: unknown } | "refused" {
  const operation = table[index];
  if (operation === undefined) throw new Error(`The table has no operation ${index}`);
  const place = parameter.in;
  const raw = {
    path: place === "path" ? { p: wire } : {},
    query: parseQuery(place === "query" ? wire : ""),
    headers: place === "header" ? { p: [wire] } : place === "cookie" ? { cookie: [wire] } : {},
  };
  try {
    const parameters = createParameterReader(operation, [])(raw);
    const values = compile(operation).request({ parameters, mediaType: undefined, body: undefined });
    return { value: values[PLACES[place]]["p"] };
  } catch (error) {
    expect(error).toMatchObject({ name: "HttpError", status: 400, code: "invalid_parameter" });
    return "refused";
  }
}

const ajv = new Ajv2020({
  strict: false,
  formats: { int32: { type: "number", validate: (value: number) => value === (value | 0) } },
});
const isValid = (schema: object, value: unknown): boolean =>
  ajv.compile({ ...schema, components: COMPONENTS })(structuredClone(value));

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
    expect(accepted.length).toBeGreaterThan(150);
    expect(told.length - accepted.length).toBeGreaterThan(150);
  });

  test("is of the generated type", () => {
    const lines = told.flatMap(({ parameter, got }, index) => {
      if (got === "refused") return [];
      const type = `NonNullable<Op${index}Request["${PLACES[parameter.in]}"]>["p"]`;
      return [`export const v${index}: ${type} = ${JSON.stringify(got.value)};`];
    });
    expect(lines.length).toBeGreaterThan(150);
    // The last line shows that a wrong one is found.
    const text = `${server}\n${lines.join("\n")}\nexport const wrong: Op0Request["body"] = "wrong";\n`;
    expect(findTypeErrors(text)).toEqual([`Type '"wrong"' is not assignable to type 'undefined'.`]);
  }, 60_000);
});

/** Equal also in the sign of zero, and in which properties there are. */
function sameValue(got: unknown, want: unknown): boolean {
  try {
    expect(got).toEqual(want);
    return true;
  } catch {
    return false;
  }
}

/** Compiles a text as a file of this repository would be. */
function findTypeErrors(text: string): readonly string[] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const file = join(root, "test/agreement.generated.ts");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([file], options, {
    ...host,
    fileExists: (path) => path === file || host.fileExists(path),
    getSourceFile: (path, target) =>
      path === file ? ts.createSourceFile(path, text, target) : host.getSourceFile(path, target),
  });
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
