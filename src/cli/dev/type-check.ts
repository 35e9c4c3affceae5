import { statSync } from "node:fs";
import ts from "#typescript";
import { formatDiagnostic, fromCompiler, readTsconfig } from "../impact/index.js";
import { toVisible } from "../output/visible.js";

/** Codes of errors at the name of a module that cannot be found, or has no types. */
const NOT_FOUND: ReadonlySet<number> = new Set([2307, 2792, 7016]);

/** A type error. */
export interface TypeProblem {
  /** Absolute path; undefined for an error that belongs to no file. */
  readonly path: string | undefined;
  /** Line to print. */
  readonly text: string;
}

export interface TypeCheck {
  /**
   * Checks the files that changed since the last call, and those that depend on them. Only the first call checks generated
   * files, to find an unsuitable tsconfig.json.
   */
  run(): readonly TypeProblem[];
  /** Lists the absolute paths of the files of the last check. */
  files(): readonly string[];
}

/**
 * Creates a type check that reads files again only when they changed, and checks again only what they affect.
 * @param configFile Absolute path of the tsconfig.json.
 * @param options.cwd Folder that printed paths are relative to.
 * @param options.isGenerated Whether Tenon generates the file at an absolute path.
 */
export function createTypeCheck(
  configFile: string,
  { cwd, isGenerated }: { readonly cwd: string; readonly isGenerated: (path: string) => boolean },
): TypeCheck {
  let builder: ts.SemanticDiagnosticsBuilderProgram | undefined;
  /** Paths, as the compiler writes them, of files that import what does not exist; it may have been installed since. */
  let unresolved: ReadonlySet<string> = new Set();
  const sources = new Map<string, { readonly modified: number; readonly source: ts.SourceFile }>();

  function createHost(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createIncrementalCompilerHost(options);
    return {
      ...host,
      // Otherwise the results for an unchanged file are those of the last program.
      hasInvalidatedResolutions: (path) => unresolved.has(path),
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

  /** The diagnostics of every checked file, in this run or an earlier one. */
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
      const ignores = (path: string) => !isFirst && isGenerated(fromCompiler(path));
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
      unresolved = new Set(
        found.flatMap(({ code, file }) => (NOT_FOUND.has(code) && file !== undefined ? [toPath(file)] : [])),
      );
      return ts.sortAndDeduplicateDiagnostics(found).map((diagnostic) => ({
        path: diagnostic.file && fromCompiler(diagnostic.file.fileName),
        text: `${toVisible(formatDiagnostic(diagnostic, cwd))}\n`,
      }));
    },
    files: () => builder?.getSourceFiles().map(({ fileName }) => fromCompiler(fileName)) ?? [],
  };
}

/** The path of a file in the compiler's own form, which is in lower case where the file system ignores case. */
function toPath({ fileName }: ts.SourceFile): string {
  return ts.sys.useCaseSensitiveFileNames ? fileName : fileName.toLowerCase();
}
