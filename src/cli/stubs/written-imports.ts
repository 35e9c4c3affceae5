import ts from "#typescript";

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
export function importedNames(statement: ts.Statement): WrittenImport[] {
  if (ts.isExportDeclaration(statement)) {
    const { moduleSpecifier, exportClause } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const names =
      exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.map((element) => (element.propertyName ?? element.name).text)
        : ["*"];
    return names.map((name) => ({
      module: toModule(moduleSpecifier.text),
      name,
      local: name,
      used: true,
    }));
  }
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
  const module = toModule(statement.moduleSpecifier.text);
  const { name: whole, namedBindings } = statement.importClause ?? {};
  const found = whole === undefined ? [] : [{ module, name: "default", local: whole.text, used: false }];
  if (namedBindings === undefined) return found;
  if (ts.isNamespaceImport(namedBindings))
    return [...found, { module, name: "*", local: namedBindings.name.text, used: false }];
  const named = namedBindings.elements.map(({ name, propertyName }) => ({
    module,
    name: (propertyName ?? name).text,
    local: name.text,
    used: false,
  }));
  return [...found, ...named];
}
