import ts from "#typescript";
import { fromCompiler, readTsconfig, toSlashes } from "../impact/index.js";
import { applyEdits, type EditedFile, type TextEdit } from "../project/index.js";

/** The generated files of an operation before and after its rename, by absolute path. */
export interface GeneratedFiles {
  /** The old name of the operation. */
  readonly from: string;
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

export interface CodeEdits {
  readonly files: ReadonlyMap<string, EditedFile>;
  /** Errors, after the rename, of the files that have or had the old name. */
  readonly errors: readonly ts.Diagnostic[];
}

/**
 * Finds the places of a project's code that use the generated names of an operation, with the compiler's own rename.
 * @param configFile Absolute path of the tsconfig.json.
 */
export function findCodeEdits(configFile: string, { from, ...generated }: GeneratedFiles): CodeEdits {
  const { options, fileNames } = readTsconfig(configFile);
  const [before, after] = [toCompiler(generated.before), toCompiler(generated.after)];
  const texts = new Map(before);
  let version = 0;
  const read = (path: string) => texts.get(path) ?? ts.sys.readFile(path);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...new Set([...fileNames, ...listCode(texts)])],
    getScriptVersion: (path) => (texts.has(path) ? String(version) : "0"),
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: read,
    readDirectory: (...given) => ts.sys.readDirectory(...given),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  });

  const program = service.getProgram();
  const renames = listCode(before).flatMap((path) => {
    const source = program?.getSourceFile(path);
    if (source === undefined) return [];
    const renamed = ts.createSourceFile(path, after.get(path) ?? "", ts.ScriptTarget.Latest, true);
    return findRenamed(source, renamed).map((one) => ({ path, ...one }));
  });
  const located = renames.flatMap(({ path, position, name }) => {
    const preferences = { providePrefixAndSuffixTextForRename: true };
    const found = service.findRenameLocations(path, position, false, false, preferences) ?? [];
    return found
      .filter(({ fileName }) => !before.has(fileName))
      .map(({ fileName, textSpan: { start, length }, prefixText = "", suffixText = "" }): TextEdit => ({
        file: fromCompiler(fileName),
        start,
        end: start + length,
        text: prefixText + name + suffixText,
      }));
  });
  const members = findMembers(program, renames).filter(({ file }) => !before.has(toSlashes(file)));
  // A place that both have found is changed once.
  const edits = new Map([...members, ...located].map((edit) => [`${edit.file}:${edit.start}`, edit]));

  const files = applyEdits([...edits.values()], (path) => read(path) ?? "");
  for (const [path, text] of after) texts.set(path, text);
  for (const { path, after: text } of files.values()) texts.set(toSlashes(path), text);
  version += 1;
  // Also files that only have the name in a text, which is not always renamed.
  const concerned = fileNames.filter((path) => !after.has(path) && read(path)?.includes(from) === true);
  const errors = [...new Set([...[...files.keys()].map(toSlashes), ...concerned])].flatMap((path) =>
    service.getSemanticDiagnostics(path),
  );
  service.dispose();
  return { files, errors };
}

/**
 * Finds the members of clients that are calls of generated files, `client.getPet`. The compiler's rename looks for an exported name only in
 * the files that import it.
 */
function findMembers(
  program: ts.Program | undefined,
  renames: readonly (RenamedName & { readonly path: string })[],
): readonly TextEdit[] {
  const checker = program?.getTypeChecker();
  const names = new Map(renames.map(({ path, position, name }) => [`${path}:${position}`, name]));
  const from = new Set(renames.map((one) => one.from));
  const edits: TextEdit[] = [];
  for (const source of program?.getSourceFiles() ?? []) {
    if (source.isDeclarationFile) continue;
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isPropertyAccessExpression(node) || !from.has(node.name.text)) return;
      const [declaration] = checker?.getSymbolAtLocation(node.name)?.declarations ?? [];
      const declared = (declaration as ts.NamedDeclaration | undefined)?.name;
      const name = declared && names.get(`${declared.getSourceFile().fileName}:${declared.getStart()}`);
      if (name === undefined) return;
      const file = fromCompiler(source.fileName);
      edits.push({ file, start: node.name.getStart(source), end: node.name.end, text: name });
    };
    visit(source);
  }
  return edits;
}

/** The compiler looks for files by its own paths. */
function toCompiler(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].map(([path, text]) => [toSlashes(path), text]));
}

function listCode(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts.keys()].filter((path) => path.endsWith(".ts"));
}

interface RenamedName {
  readonly position: number;
  /** The name before the rename. */
  readonly from: string;
  /** The name after the rename. */
  readonly name: string;
}

/**
 * Pairs the names that two versions of a generated file have at the same places.
 * @returns the declarations, and the first text of a type, whose names differ.
 */
function findRenamed(before: ts.SourceFile, after: ts.SourceFile): readonly RenamedName[] {
  const [old, now] = [listNames(before), listNames(after)];
  if (old.length !== now.length) throw new Error(`Expected ${before.fileName} to differ in names only`);
  const literals = new Set<string>();
  return old.flatMap((node, index) => {
    const name = now[index]?.text;
    if (name === undefined || name === node.text) return [];
    if (ts.isLiteralTypeNode(node.parent) && !literals.has(node.text)) literals.add(node.text);
    else if ((node.parent as ts.NamedDeclaration).name !== node) return [];
    return [{ position: node.getStart(before) + (ts.isStringLiteral(node) ? 1 : 0), from: node.text, name }];
  });
}

function listNames(source: ts.SourceFile): readonly (ts.Identifier | ts.StringLiteral)[] {
  const names: (ts.Identifier | ts.StringLiteral)[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteral(node)) names.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
