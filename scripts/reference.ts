// Writes src/cli/guide/reference.md: every type and function of the package tenon, from its sources.
//
//   npm run reference
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const ENTRIES = ["runtime", "client", "query", "testing", "docs", "mcp", "webhooks"] as const;

export const REFERENCE = join(ROOT, "src/cli/guide/reference.md");

const HEAD = `# Reference

Every type and function of the package \`tenon\`, written from its sources. A test compiles the examples, with the code that is generated
from the Pet Store's contract. \`createContractRouter\`, \`createContractClient\` and their types are for generated code.
`;

/** An export of an entry of the package. */
interface Export {
  readonly name: string;
  readonly text: string;
  readonly examples: readonly string[];
  /** Descriptions of the parameters, the result and the errors. */
  readonly tags: readonly string[];
  readonly declaration: string;
}

/** Returns the text of the page. */
export async function createReference(): Promise<string> {
  const sections = readEntries().map(({ entry, exports }) => {
    const parts = exports.map(({ name, text, tags, declaration, examples }) =>
      [
        `### ${name}`,
        text,
        ...tags,
        block(declaration),
        ...examples.map((example) => `Example:\n\n${block(example)}`),
      ].join("\n\n"),
    );
    return [`## tenon/${entry}`, ...parts].join("\n\n");
  });
  const options = await resolveConfig(REFERENCE, { editorconfig: true });
  return format([HEAD, ...sections].join("\n\n"), { ...options, filepath: REFERENCE });
}

const block = (code: string): string => `<!-- not run: other test -->\n\n\`\`\`ts\n${code}\n\`\`\``;

function readEntries(): readonly { readonly entry: string; readonly exports: readonly Export[] }[] {
  const files = ENTRIES.map((entry) => join(ROOT, "src/tenon", entry, "index.ts"));
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(files, {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
  });
  const checker = program.getTypeChecker();
  const declarations = new Declarations(program);
  const resolve = (symbol: ts.Symbol) =>
    (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const known = new Set<ts.Symbol>();
  const entries = ENTRIES.map((entry, index) => {
    const file = program.getSourceFile(files[index] ?? "");
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`src/tenon/${entry}/index.ts exports nothing`);
    const symbols = checker.getExportsOfModule(module).map(resolve);
    for (const symbol of symbols) known.add(symbol);
    return { entry, symbols };
  });
  return entries.map(({ entry, symbols }) => {
    const exported = new Set(symbols);
    // Interfaces of the same folder that an exported type refers to are described too.
    const folder = join(ROOT, "src/tenon", entry);
    for (const symbol of symbols)
      for (const target of findTypes(symbol, checker).map(resolve)) {
        if (known.has(target) || !isInterfaceBelow(folder, target)) continue;
        known.add(target);
        symbols.push(target);
      }
    const exports = symbols.map((symbol) => toExport(symbol, exported.has(symbol)));
    return { entry, exports: exports.sort((one, other) => (one.name < other.name ? -1 : 1)) };
  });

  function toExport(symbol: ts.Symbol, isExported: boolean): Export {
    const tags = symbol.getJsDocTags(checker);
    const text = toText(symbol.getDocumentationComment(checker));
    return {
      name: symbol.name,
      text: isExported ? text : `${text} The type is not exported.`.trim(),
      tags: tags.flatMap((tag) => toSentence(tag.name, toText(tag.text)) ?? []),
      examples: tags.filter(({ name }) => name === "example").map((tag) => toText(tag.text)),
      declaration: declarations.find(symbol),
    };
  }
}

function toText(parts: readonly ts.SymbolDisplayPart[] = []): string {
  return ts
    .displayPartsToString([...parts])
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .trim();
}

/** Finds the types that the declarations of a symbol name, outside bodies and private members. */
function findTypes({ declarations = [] }: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || (ts.isClassElement(node) && node.name && ts.isPrivateIdentifier(node.name)))
      return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol !== undefined) found.push(symbol);
    ts.forEachChild(node, visit);
  };
  for (const declaration of declarations) visit(declaration);
  return found;
}

function isInterfaceBelow(folder: string, { declarations: [declaration] = [] }: ts.Symbol): boolean {
  return (
    declaration !== undefined &&
    ts.isInterfaceDeclaration(declaration) &&
    declaration.getSourceFile().fileName.startsWith(`${folder}/`)
  );
}

/** `@throws {Error} when …` becomes a sentence. */
function toSentence(tag: string, text: string): string | undefined {
  switch (tag) {
    case "param":
      return text.replace(/^(\S+)\s+(?:-\s*)?/, "`$1`: ");
    case "returns":
      return `Returns ${text}`;
    case "throws":
      return `Throws ${text.replace(/^\{(.*?)\}/, "`$1`")}`;
    default:
      return undefined;
  }
}

/** The declarations of a program's sources as the compiler writes them, without bodies and private members. */
class Declarations {
  readonly #program: ts.Program;
  readonly #files = new Map<ts.SourceFile, ts.SourceFile>();

  constructor(program: ts.Program) {
    this.#program = program;
  }

  find({ name, declarations = [] }: ts.Symbol): string {
    const [first] = declarations;
    if (first === undefined) throw new Error(`${name} has no declaration`);
    const file = this.#emit(first.getSourceFile());
    return file.statements
      .filter((statement) => namesOf(statement).includes(name))
      .map((statement) => statement.getText(file).replace(/^export (?:declare )?/, ""))
      .map((text) => text.replace(/\n *(?:#private|private .*);/g, ""))
      .join("\n");
  }

  #emit(source: ts.SourceFile): ts.SourceFile {
    let emitted = this.#files.get(source);
    if (emitted === undefined) {
      let text = "";
      this.#program.emit(source, (_, written) => (text = written), undefined, true);
      emitted = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true);
      this.#files.set(source, emitted);
    }
    return emitted;
  }
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as Partial<ts.DeclarationStatement>;
  return name === undefined ? [] : [name.text];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await createReference();
  if (readFileSync(REFERENCE, { encoding: "utf8", flag: "a+" }) !== text) writeFileSync(REFERENCE, text);
}
