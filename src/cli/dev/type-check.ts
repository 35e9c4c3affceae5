import { statSync } from "node:fs";
import { relative } from "node:path";
import ts from "#typescript";
import { toMessage } from "../impact/message.js";
import { readTsconfig } from "../impact/tsconfig.js";

export interface TypeCheck {
  /**
   * Checks what changed since the last call, and what depends on it. What Tenon generates is checked by the first call only,
   * which finds a tsconfig.json that it does not suit; afterwards it is read as far as something else depends on it.
   * @returns A line for each error.
   */
  run(): readonly string[];
  /** Whether a file was part of the last check, or says what is. */
  includes(path: string): boolean;
}

/**
 * A type check that stays warm: files are read again only when they changed, and only what they affect is checked again.
 * @param configFile Absolute path of the tsconfig.json.
 * @param options.cwd Folder that printed paths are relative to.
 * @param options.isGenerated Whether Tenon generates the file at an absolute path.
 */
export function createTypeCheck(
  configFile: string,
  { cwd, isGenerated }: { readonly cwd: string; readonly isGenerated: (path: string) => boolean },
): TypeCheck {
  let builder: ts.SemanticDiagnosticsBuilderProgram | undefined;
  const sources = new Map<string, { readonly modified: number; readonly source: ts.SourceFile }>();

  function createHost(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createIncrementalCompilerHost(options);
    return {
      ...host,
      getSourceFile(path, ...rest) {
        const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
        const known = sources.get(path);
        if (known !== undefined && known.modified === modified) return known.source;
        const source = host.getSourceFile(path, ...rest);
        if (source !== undefined && modified !== undefined) sources.set(path, { modified, source });
        return source;
      },
    };
  }

  /** Of every file that was checked, in this run or in one before it. */
  function getDiagnostics(
    program: ts.SemanticDiagnosticsBuilderProgram,
    ignores: (file: ts.SourceFile) => boolean,
  ): readonly ts.Diagnostic[] {
    while (program.getSemanticDiagnosticsOfNextAffectedFile(undefined, ignores) !== undefined);
    return program
      .getSourceFiles()
      .filter((file) => !ignores(file))
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
  }

  return {
    run() {
      // Read each time: its patterns decide which files there are.
      const config = readTsconfig(configFile);
      const isFirst = builder === undefined;
      const ignores = (path: string) => !isFirst && isGenerated(path);
      const program = ts.createSemanticDiagnosticsBuilderProgram(
        config.fileNames.filter((path) => !ignores(path)),
        config.options,
        createHost(config.options),
        builder,
        config.errors,
      );
      builder = program;
      const found = [
        ...program.getConfigFileParsingDiagnostics(),
        ...program.getOptionsDiagnostics(),
        ...program.getGlobalDiagnostics(),
        ...getDiagnostics(program, ({ fileName }) => ignores(fileName)),
      ];
      return ts.sortAndDeduplicateDiagnostics(found).map((diagnostic) => format(diagnostic, cwd));
    },
    includes: (path) => path === configFile || builder?.getSourceFile(path) !== undefined,
  };
}

/** `src/handlers/pets.ts:12:5  TS2322  Type 'string' is not …`, as problems of contracts are printed. */
function format(diagnostic: ts.Diagnostic, cwd: string): string {
  const { file, start, code } = diagnostic;
  const text = toMessage(diagnostic);
  if (file === undefined || start === undefined) return `TS${code}  ${text}\n`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${relative(cwd, file.fileName)}:${line + 1}:${character + 1}  TS${code}  ${text}\n`;
}
