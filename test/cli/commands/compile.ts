import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { createProgram } from "../../support/create-program.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Installs this Tenon, from its sources, and some of its packages into a project. */
export function installTenon(folder: string, packages: readonly string[] = []): void {
  if (!existsSync(join(folder, "package.json")))
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
  mkdirSync(join(folder, "node_modules", "@tenon"));
  symlinkSync(join(ROOT, "src/tenon"), join(folder, "node_modules/tenon"));
  symlinkSync(join(ROOT, "src/cli"), join(folder, "node_modules/@tenon/cli"));
  for (const name of packages)
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
}

/** Compiles files of a project as strictly as this repository is compiled; returns `file: message` for each error. */
export function compile(folder: string, files: readonly string[]): readonly string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  const program = createProgram(
    files.map((file) => join(folder, file)),
    {
      ...options,
      rewriteRelativeImportExtensions: true,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules", "@types")],
    },
  );
  // Sources of this repository are checked by `npm run types`.
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.startsWith(ROOT));
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ].map(
    ({ file, messageText }) =>
      `${file === undefined ? "" : relative(folder, file.fileName)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
}
