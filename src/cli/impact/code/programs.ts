import ts from "#typescript";
import { readTsconfig, toMessage } from "../compiler.js";
import { isWithin, toSlashes, withMemory } from "../memory-files.js";
import { CannotAsk, type CodeProject, type Generated, type GeneratedSides } from "../sides.js";
import { showPath } from "../../output/show-path.js";

/** The project's own program, with the generated files of either contract in place of those on disk. */
export interface Programs {
  readonly revision: ts.Program;
  /** Created on demand: not needed where the revision compiles. */
  readonly base: () => ts.Program;
}

/** @throws {CannotAsk} */
export function createPrograms(project: CodeProject, { base, revision }: GeneratedSides): Programs {
  const { configFile, output } = project;
  const shown = showConfig(project);
  const { options, fileNames, errors, projectReferences } = readTsconfig(configFile);
  const [error] = errors;
  if (error !== undefined) throw new CannotAsk(`${shown} cannot be used: ${toMessage(error)}`);
  const rootNames = fileNames.filter((name) => !isWithin(name, output));
  if (rootNames.length === 0) throw new CannotAsk(`${shown} has no files besides generated ones`);
  const createHost = withMemory(options);
  const create = ({ files }: Generated) =>
    ts.createProgram({
      rootNames,
      options,
      host: createHost({ path: output, files }),
      ...(projectReferences && { projectReferences }),
    });
  const program = create(revision);
  assertUsable(program, project);
  let ofBase: ts.Program | undefined;
  return { revision: program, base: () => (ofBase ??= create(base)) };
}

/** Without a library or the runtime, every type is `any` and no error is ever found. */
function assertUsable(program: ts.Program, project: CodeProject): void {
  const { output, cwd } = project;
  const [error] = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  if (error !== undefined)
    throw new CannotAsk(`the program of ${showConfig(project)} cannot be checked: ${toMessage(error)}`);
  const checker = program.getTypeChecker();
  for (const file of program.getSourceFiles()) {
    if (!isWithin(file.fileName, output)) continue;
    const lacking = findImports(file).find((found) => checker.getSymbolAtLocation(found) === undefined);
    if (lacking === undefined) continue;
    const name = showPath(file.fileName, cwd);
    throw new CannotAsk(`${name} cannot find ${JSON.stringify(lacking.text)}; install the packages`);
  }
}

function showConfig({ configFile, cwd }: CodeProject): string {
  return showPath(configFile, cwd);
}

interface FoundErrors {
  /** Errors that only the program with the revision has. */
  readonly fresh: readonly ts.DiagnosticWithLocation[];
  /** Errors that the program has with both contracts. */
  readonly own: readonly ts.DiagnosticWithLocation[];
  /** True if any of its files depends on a changed file. */
  readonly concerned: boolean;
}

interface ChangedFiles extends Pick<CodeProject, "output"> {
  /** Paths within the folder of generated files, with `/` between their parts. */
  readonly changed: readonly string[];
}

/** Compares the errors of both programs in the files that depend on changed ones. */
export function findErrors(programs: Programs, changed: ChangedFiles): FoundErrors {
  const dependents = findDependents(programs.revision, changed);
  const errors = dependents.flatMap((file) => check(programs.revision, file));
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
    concerned: dependents.length > 0,
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

/** Lists the program's own files that import some generated files, directly or through others. */
function findDependents(program: ts.Program, { output, changed }: ChangedFiles): readonly ts.SourceFile[] {
  const checker = program.getTypeChecker();
  const own = listFiles(program);
  const importers = new Map<string, ts.SourceFile[]>();
  for (const file of own) {
    const specifiers = isWithin(file.fileName, output) ? findImports(file) : findSpecifiers(file);
    for (const specifier of specifiers) {
      const target = checker.getSymbolAtLocation(specifier)?.declarations?.find(ts.isSourceFile)?.fileName;
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  const found = new Set<ts.SourceFile>();
  const visit = (name: string) => {
    for (const file of importers.get(name) ?? []) {
      if (found.has(file)) continue;
      found.add(file);
      visit(file.fileName);
    }
  };
  for (const name of changed) visit(`${toSlashes(output)}/${name}`);
  return own.filter((file) => found.has(file) && !isWithin(file.fileName, output));
}

/** Files of the program that are neither generated nor of a package. */
export function listOwnFiles(program: ts.Program, output: string): readonly ts.SourceFile[] {
  return listFiles(program).filter(({ fileName }) => !isWithin(fileName, output));
}

function listFiles(program: ts.Program): readonly ts.SourceFile[] {
  return program
    .getSourceFiles()
    .filter(
      (file) => !program.isSourceFileFromExternalLibrary(file) && !program.isSourceFileDefaultLibrary(file),
    );
}

/** The imports and exports of a generated file; only its statements are read, because it may be large. */
function findImports(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  return file.statements.flatMap((statement) => {
    const specifier = toSpecifier(statement);
    return specifier !== undefined && ts.isStringLiteralLike(specifier) ? [specifier] : [];
  });
}

/** Every module that a file names: imports, exports, `import("…")` as a type and as a call. */
function findSpecifiers(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  const found: ts.StringLiteralLike[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = toSpecifier(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function toSpecifier(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  return node.arguments[0];
}
