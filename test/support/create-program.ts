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

/** Compiles the project of a folder as `npx tsc --noEmit` does; returns what this would print, or an empty string. */
export function compileProject(folder: string): string {
  const host = {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name: string) => name,
    getNewLine: () => "\n",
  };
  const path = ts.findConfigFile(folder, (name) => ts.sys.fileExists(name));
  if (path === undefined) return `${folder} has no tsconfig.json\n`;
  const problems: ts.Diagnostic[] = [];
  const config = ts.getParsedCommandLineOfConfigFile(
    path,
    { noEmit: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => problems.push(problem) },
  );
  if (config !== undefined)
    problems.push(
      ...config.errors,
      ...ts.getPreEmitDiagnostics(createProgram(config.fileNames, config.options)),
    );
  return ts.formatDiagnostics(problems, host);
}
