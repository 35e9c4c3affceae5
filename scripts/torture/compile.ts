import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { createProgram } from "../../test/support/create-program.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** @returns the first error of the files under this repository's own settings; undefined when there is none. */
export function findFirstError(files: readonly string[]): string | undefined {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = createProgram(files, { ...options, typeRoots: [join(ROOT, "node_modules/@types")] });
  for (const file of files) {
    const source = program.getSourceFile(file);
    const [first] = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    if (first === undefined) continue;
    const line = first.file ? ts.getLineAndCharacterOfPosition(first.file, first.start ?? 0).line : 0;
    return `${basename(file)}:${line + 1} TS${first.code} ${ts.flattenDiagnosticMessageText(first.messageText, " ")}`;
  }
  return undefined;
}
