import type ts from "#typescript";
import { isWithin, toSlashes } from "../memory-files.js";
import { findDependents, type Programs } from "./programs.js";

export interface FoundErrors {
  /** Errors that only the program with the revision has. */
  readonly fresh: readonly ts.DiagnosticWithLocation[];
  /** Errors that the program has with both contracts. */
  readonly own: readonly ts.DiagnosticWithLocation[];
  /** True if any of its files depends on a changed file. */
  readonly concerned: boolean;
}

export interface ChangedFiles {
  /** Absolute path of the folder of generated files. */
  readonly output: string;
  /** Paths within it, with `/` between their parts. */
  readonly changed: readonly string[];
}

/** Compares the errors of both programs in the files that depend on changed ones. */
export function findErrors(programs: Programs, { output, changed }: ChangedFiles): FoundErrors {
  const names = new Set(changed.map((file) => `${toSlashes(output)}/${file}`));
  const dependents = findDependents(programs.revision, { output, names }).filter(
    ({ fileName }) => !isWithin(fileName, output),
  );
  const errors = dependents.flatMap((file) => check(programs.revision, file));
  if (errors.length === 0) return { fresh: [], own: [], concerned: dependents.length > 0 };
  const suspects = new Set(errors.map(({ file }) => file.fileName));
  const known = new Set(
    [...suspects].flatMap((name) => {
      const file = programs.base().getSourceFile(name);
      return file === undefined ? [] : check(programs.base(), file).map(toKey);
    }),
  );
  return {
    fresh: errors.filter((error) => !known.has(toKey(error))),
    own: errors.filter((error) => known.has(toKey(error))),
    concerned: true,
  };
}

function check(program: ts.Program, file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].filter(
    (found): found is ts.DiagnosticWithLocation => found.file !== undefined && found.start !== undefined,
  );
}

/** Without the message, which may name types that differ between the sides. */
function toKey({ file, start, code }: ts.DiagnosticWithLocation): string {
  return `${code} ${start} ${file.fileName}`;
}
