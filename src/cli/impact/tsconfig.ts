import { dirname } from "node:path";
import ts from "#typescript";

/**
 * Reads a tsconfig.json, for programs that are checked and write nothing.
 * @param configFile Absolute path.
 */
export function readTsconfig(configFile: string): ts.ParsedCommandLine {
  const read: { readonly config?: unknown; readonly error?: ts.Diagnostic } = ts.readConfigFile(
    configFile,
    (path) => ts.sys.readFile(path),
  );
  const parsed = ts.parseJsonConfigFileContent(
    read.config ?? {},
    ts.sys,
    dirname(configFile),
    { noEmit: true },
    configFile,
  );
  return read.error === undefined ? parsed : { ...parsed, errors: [read.error, ...parsed.errors] };
}
