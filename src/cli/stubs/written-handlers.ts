import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import ts from "#typescript";
import { findMembers, handlerName, withoutTypes } from "../impact/index.js";
import { cannotRead, ignoreMissing } from "../output/write-files.js";

/** The contents of a file in the folder of handlers, as far as its syntax shows them. */
export interface WrittenFile {
  /** Relative to the folder: `pets.ts`. */
  readonly name: string;
  /** Names of possible handlers: functions in objects and classes, and members that objects take from elsewhere. */
  readonly members: ReadonlySet<string>;
  /** Exported objects, by name. */
  readonly exported: ReadonlyMap<string, WrittenObject>;
  readonly imports: readonly WrittenImport[];
  /** Position at which an import can be added. */
  readonly start: Place;
  readonly end: Place;
  /** Every name in the file. */
  readonly names: ReadonlySet<string>;
}

export interface WrittenObject {
  readonly members: ReadonlySet<string>;
  /** True if it combines others: `{ ...petsHandlers }`. */
  readonly spreads: boolean;
  /** True if its own file uses it, perhaps as a part of another one. */
  readonly used: boolean;
  /** Position at which a member can be added, before the closing brace. */
  readonly end: Place;
  /** True if it has a type, such as `satisfies PartialHandlers<…>`, that its members' parameters get theirs from. */
  readonly isTyped: boolean;
  /** True if the last member has no comma after it. */
  readonly wantsComma: boolean;
}

/** A position in a file; both numbers start at 1, as in editors. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads every TypeScript file of a folder, which may not exist yet. Runs nothing, and the files need not compile.
 * @param except Absolute paths of its folders to skip.
 * @throws {FileError}
 */
export async function readWrittenFiles(
  folder: string,
  except: readonly string[] = [],
): Promise<readonly WrittenFile[]> {
  const entries =
    (await readdir(folder, { recursive: true, withFileTypes: true })
      .catch(ignoreMissing)
      .catch(cannotRead(folder))) ?? [];
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => path.endsWith(".ts") && !except.some((other) => path.startsWith(other + sep)))
    .sort();
  return Promise.all(
    paths.map(async (path) =>
      toWritten(relative(folder, path), await readFile(path, "utf8").catch(cannotRead(path))),
    ),
  );
}

function toWritten(name: string, text: string): WrittenFile {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const counts = countNames(source);
  const toPlace = (position: number): Place => {
    const { line, character } = source.getLineAndCharacterOfPosition(position);
    return { line: line + 1, column: character + 1 };
  };
  const isUsed = (local: string) => (counts.get(local) ?? 0) > 1;
  const firstImport = source.statements.find(ts.isImportDeclaration);
  return {
    name,
    members: findMembers(source),
    exported: new Map(
      source.statements.flatMap(exportedObjects).map(([object, node]) => [
        object,
        {
          isTyped: !ts.isVariableDeclaration(node.parent) || node.parent.type !== undefined,
          members: new Set(node.properties.flatMap(handlerName)),
          spreads: node.properties.some(ts.isSpreadAssignment),
          used: isUsed(object),
          end: toPlace(node.end - 1),
          wantsComma: node.properties.length > 0 && !node.properties.hasTrailingComma,
        },
      ]),
    ),
    imports: source.statements
      .flatMap(importedNames)
      .map((found) => ({ ...found, used: found.used || isUsed(found.local) })),
    start: toPlace(firstImport?.getStart(source) ?? 0),
    end: toPlace(source.end),
    names: new Set(counts.keys()),
  };
}

function exportedObjects(statement: ts.Statement): [string, ts.ObjectLiteralExpression][] {
  if (!ts.isVariableStatement(statement)) return [];
  if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const value = initializer === undefined ? undefined : withoutTypes(initializer);
    if (!ts.isIdentifier(name) || value === undefined || !ts.isObjectLiteralExpression(value)) return [];
    return [[name.text, value]];
  });
}

/** How often each name is written. */
function countNames(source: ts.SourceFile): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return counts;
}

/** A name that a file imports, or exports from elsewhere. */
export interface WrittenImport {
  /** Without extension: `./pets`. */
  readonly module: string;
  /** The exported name; `*` for all. */
  readonly name: string;
  /** Name in this file. */
  readonly local: string;
  /** True if the file uses it. */
  readonly used: boolean;
}

/** `./pets.js` becomes `./pets`: a project may write either, or `./pets.ts`. */
export function toModule(specifier: string): string {
  return specifier.replace(/\.[jt]s$/, "");
}

/** The names that a statement imports, not yet marked as used, or exports from elsewhere. */
function importedNames(statement: ts.Statement): WrittenImport[] {
  if (ts.isExportDeclaration(statement)) {
    const { moduleSpecifier, exportClause } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const module = toModule(moduleSpecifier.text);
    const names =
      exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.map((element) => (element.propertyName ?? element.name).text)
        : ["*"];
    return names.map((name) => ({ module, name, local: name, used: true }));
  }
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
  const module = toModule(statement.moduleSpecifier.text);
  const { name: whole, namedBindings } = statement.importClause ?? {};
  const named =
    namedBindings === undefined
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [["*", namedBindings.name.text]]
        : namedBindings.elements.map(({ name, propertyName }) => [(propertyName ?? name).text, name.text]);
  return [...(whole === undefined ? [] : [["default", whole.text]]), ...named].map(
    ([name = "", local = ""]) => ({ module, name, local, used: false }),
  );
}
