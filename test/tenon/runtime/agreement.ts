import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import ts from "typescript";
import { type Operation } from "../../../src/tenon/core/model/index.js";
import { emitServer } from "../../../src/cli/generate/server/server.js";
import { toContract } from "../../cli/generate/contract.js";
import {
  createValidatorCompiler,
  type OperationValidator,
} from "../../../src/tenon/runtime/validation/validator.js";
import { COMPONENTS } from "./agreement-cases.js";

/** What is generated from an operation a case, `op0` under `/0` and so on. */
export interface Generated {
  readonly server: string;
  readonly operations: readonly {
    readonly operation: Operation;
    readonly validator: OperationValidator;
  }[];
}

/** @throws when the contract has a problem. */
export function generate(
  paths: Readonly<Record<string, unknown>>,
  components: { readonly schemas: Readonly<Record<string, unknown>> } = COMPONENTS,
): Generated {
  const contract = toContract({
    openapi: "3.1.0",
    info: { title: "Agreement", version: "1.0.0" },
    paths,
    components,
  });
  const server = emitServer(contract, { source: "agreement", split: false }).files.get("server.ts") ?? "";
  const compile = createValidatorCompiler(contract);
  const operations = contract.operations.map((operation) => ({ operation, validator: compile(operation) }));
  return { server, operations };
}

const ajv = new Ajv2020({
  strict: false,
  formats: { int32: { type: "number", validate: (value: number) => value === (value | 0) } },
});

export function isValid(schema: object, value: unknown): boolean {
  return ajv.compile({ ...schema, components: COMPONENTS })(structuredClone(value));
}

/** Equal also in the sign of zero, and in which properties there are. */
export function sameValue(got: unknown, want: unknown): boolean {
  try {
    expect(got).toEqual(want);
    return true;
  } catch {
    return false;
  }
}

/** Compiles a text as a file of this repository would be, and tells each error with the line that it is in. */
export function findTypeErrors(text: string): readonly { readonly line: string; readonly message: string }[] {
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
  const source = program.getSourceFile(file);
  const lines = text.split("\n");
  return program.getSemanticDiagnostics(source).map(({ start = 0, messageText }) => ({
    line: lines[source?.getLineAndCharacterOfPosition(start).line ?? 0] ?? "",
    message: ts.flattenDiagnosticMessageText(messageText, "\n"),
  }));
}
