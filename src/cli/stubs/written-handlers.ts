import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import ts from "#typescript";
import { findMembers, handlerName, withoutTypes } from "../impact/handler-members.js";
import { ignoreMissing } from "../project/file-changes.js";
import { cannotWrite } from "../output/write-error.js";
import { importedNames, type WrittenImport } from "./written-imports.js";

/** What a file in the folder of handlers has, as far as its syntax tells. */
export interface WrittenFile {
  /** Relative to the folder: `pets.ts`. */
  readonly name: string;
  /** Names of what can be a handler: functions in objects and classes, and what objects take from elsewhere. */
  readonly members: ReadonlySet<string>;
  /** Exported objects, by name. */
  readonly exported: ReadonlyMap<string, WrittenObject>;
  readonly imports: readonly WrittenImport[];
  /** Where an import can be added. */
  readonly start: Place;
  readonly end: Place;
  /** Every name in the file, of whatever kind. */
  readonly names: ReadonlySet<string>;
}

export interface WrittenObject {
  readonly members: ReadonlySet<string>;
  /** Whether it is there to combine others: `{ ...petsHandlers }`. */
  readonly spreads: boolean;
  /** Whether its own file uses it, as a part of another one perhaps. */
  readonly used: boolean;
  /** Where a member can be added, before the brace that closes it. */
  readonly end: Place;
  /** Whether the last member has no comma after it. */
  readonly wantsComma: boolean;
}

/** Both from 1, as editors count. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads every TypeScript file of a folder, which may not exist yet. Nothing is run and nothing has to compile.
 * @param except Absolute paths of folders in it that are somebody else's.
 */
export async function readWrittenFiles(
  folder: string,
  except: readonly string[] = [],
): Promise<readonly WrittenFile[]> {
  const entries =
    (await readdir(folder, { recursive: true, withFileTypes: true })
      .catch(ignoreMissing)
      .catch(cannotWrite(folder))) ?? [];
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => path.endsWith(".ts") && !except.some((other) => path.startsWith(other + sep)))
    .sort();
  return Promise.all(
    paths.map(async (path) => toWritten(relative(folder, path), await readFile(path, "utf8"))),
  );
}

function toWritten(name: string, text: string): WrittenFile {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
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
