import { dirname } from "node:path";
import ts from "#typescript";
import { showPath } from "../output/show-path.js";

/**
 * Reads a tsconfig.json for programs that are checked and write nothing.
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

/** The text of a long object type without a name: the handlers of a service would fill the screen. */
const LONG_TYPE = /'\{[^']{60,}'/g;

/** The error at a reply with a status that the operation does not declare: `reply[202](note)`. */
const UNDECLARED_REPLY =
  /^Element implicitly has an 'any' type .* of type '(\d{3})' can't be used to index type '(\w*Replies)'.*$/;

/** Formats a diagnostic on one line: `Property 'deletePet' is missing in type '{ … }' but required in type 'Handlers<…>'.` */
export function toMessage({ messageText }: Pick<ts.Diagnostic, "messageText">): string {
  return ts
    .flattenDiagnosticMessageText(messageText, " ")
    .replace(/\s+/g, " ")
    .replace(LONG_TYPE, "'{ … }'")
    .replace(
      UNDECLARED_REPLY,
      "The contract does not declare status $1 for this operation: '$2' has no such reply.",
    );
}

/** Formats a diagnostic as problems of contracts are printed: `src/handlers/pets.ts:12:5  TS2322  Type 'string' is not …`. */
export function formatDiagnostic(diagnostic: ts.Diagnostic, cwd: string): string {
  const { file, start, code } = diagnostic;
  const text = toMessage(diagnostic);
  if (file === undefined || start === undefined) return `TS${code}  ${text}`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${showPath(file.fileName, cwd)}:${line + 1}:${character + 1}  TS${code}  ${text}`;
}
