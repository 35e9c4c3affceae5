import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "#typescript";
import { ignoreMissing } from "./file-changes.js";

/** What a file in the folder of handlers has, as far as its syntax tells. */
export interface WrittenFile {
  /** Relative to the folder: `pets.ts`. */
  readonly name: string;
  /** Names of the members of all its objects and classes. */
  readonly members: ReadonlySet<string>;
  /** Exported objects: name to names of members. */
  readonly exported: ReadonlyMap<string, ReadonlySet<string>>;
  /** Module specifiers that it imports: `./pets.js`. */
  readonly imports: readonly string[];
}

/** Reads every TypeScript file of a folder, which may not exist yet. Nothing is run and nothing has to compile. */
export async function readWrittenFiles(folder: string): Promise<readonly WrittenFile[]> {
  const names = (await readdir(folder, { recursive: true }).catch(ignoreMissing)) ?? [];
  const files = names.filter((name) => name.endsWith(".ts")).sort();
  return Promise.all(files.map(async (name) => toWritten(name, await readFile(join(folder, name), "utf8"))));
}

function toWritten(name: string, text: string): WrittenFile {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const members = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) for (const member of memberNames(node)) members.add(member);
    if (ts.isClassLike(node)) for (const member of memberNames(node)) members.add(member);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    name,
    members,
    exported: new Map(source.statements.flatMap(exportedObjects)),
    imports: ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName),
  };
}

function exportedObjects(statement: ts.Statement): [string, ReadonlySet<string>][] {
  if (!ts.isVariableStatement(statement)) return [];
  if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const value = initializer === undefined ? undefined : withoutTypes(initializer);
    if (!ts.isIdentifier(name) || value === undefined || !ts.isObjectLiteralExpression(value)) return [];
    return [[name.text, new Set(memberNames(value))]];
  });
}

function withoutTypes(expression: ts.Expression): ts.Expression {
  return ts.isSatisfiesExpression(expression) || ts.isAsExpression(expression)
    ? withoutTypes(expression.expression)
    : expression;
}

function memberNames(node: ts.ObjectLiteralExpression | ts.ClassLikeDeclaration): readonly string[] {
  const members: readonly ts.NamedDeclaration[] = ts.isObjectLiteralExpression(node)
    ? node.properties
    : node.members;
  return members.flatMap(({ name }) =>
    name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : [],
  );
}
