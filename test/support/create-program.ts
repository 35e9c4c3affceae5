import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Options that decide how a file is parsed. */
const PARSING = ["target", "module", "moduleResolution", "moduleDetection", "jsx", "strict", "alwaysStrict"];

/** Parsed files of this repository and its packages, which no test changes, by their paths and options. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Creates a program as `ts.createProgram` does, for tests that compile several projects in folders of their own. It parses files of
 * this repository and of the installed packages once, and not for each program.
 */
export function createProgram(rootNames: readonly string[], options: ts.CompilerOptions): ts.Program {
  const disk = ts.createCompilerHost(options);
  const parsing = JSON.stringify(options, PARSING);
  return ts.createProgram(rootNames, options, {
    ...disk,
    getSourceFile(path, target, ...more) {
      if (!path.startsWith(ROOT)) return disk.getSourceFile(path, target, ...more);
      const format = typeof target === "object" ? target.impliedNodeFormat : undefined;
      const key = `${path} ${format ?? ""} ${parsing}`;
      if (!parsed.has(key)) parsed.set(key, disk.getSourceFile(path, target, ...more));
      return parsed.get(key);
    },
  });
}

/**
 * Compiles the projects of folders as `npx tsc --noEmit` does in each. Those with the same settings share a program, which checks the types of
 * packages once; their files must not declare global types.
 * @returns What the compiler prints, with paths relative to `root`; an empty string when all is well.
 */
export function compileProjects(folders: Iterable<string>, root: string): string {
  const problems: ts.Diagnostic[] = [];
  const programs = new Map<
    string,
    { readonly options: ts.CompilerOptions; readonly files: readonly string[] }
  >();
  for (const folder of folders) {
    const path = ts.findConfigFile(folder, (name) => ts.sys.fileExists(name));
    if (path === undefined) return `${folder} has no tsconfig.json\n`;
    const config = ts.getParsedCommandLineOfConfigFile(
      path,
      { noEmit: true },
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => problems.push(problem) },
    );
    if (config === undefined) continue;
    problems.push(...config.errors);
    const key = JSON.stringify({ ...config.options, configFilePath: undefined });
    const files = [...(programs.get(key)?.files ?? []), ...config.fileNames];
    programs.set(key, { options: config.options, files });
  }
  for (const { files, options } of programs.values())
    problems.push(...ts.getPreEmitDiagnostics(createProgram(files, options)));
  return ts.formatDiagnostics(problems, {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  });
}
