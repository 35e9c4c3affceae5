import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { buildModel } from "../../../src/tenon/contract/build-model.js";
import type { Node } from "../../../src/tenon/contract/document.js";
import { emitServer } from "../../../src/tenon/emit/server.js";
import type { OperationDescriptor } from "../../../src/tenon/runtime/index.js";

export interface EmittedServer {
  /** Of server.ts. */
  readonly text: string;
  /** The generated table itself, not the model that it was emitted from. */
  readonly table: readonly OperationDescriptor[];
}

/** Emits server.ts of a document that has nothing wrong with it. */
export function emitWholeServer(document: Node): EmittedServer {
  const contract = buildModel({
    document,
    report: (code, pointer, message) => {
      throw new Error(`${code} ${pointer} ${message}`);
    },
  });
  const text = emitServer(contract, { source: "agreement", split: false }).get("server.ts") ?? "";
  const literal = /^export const operations = (\[[^]*?^\]) as const/m.exec(text)?.[1] ?? "";
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- generated just now
  return { text, table: new Function(`return ${literal}`)() as readonly OperationDescriptor[] };
}

/** Compiles a text as a file of this repository would be, and tells each error with its line. */
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
  const lines = text.split("\n");
  const source = program.getSourceFile(file);
  return program.getSemanticDiagnostics(source).map(({ start = 0, messageText }) => ({
    line: lines[source?.getLineAndCharacterOfPosition(start).line ?? 0] ?? "",
    message: ts.flattenDiagnosticMessageText(messageText, "\n"),
  }));
}
