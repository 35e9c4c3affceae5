import {
  addJSDocComment,
  type GlobalContext,
  oapiRef,
  type SchemaObject,
  transformHeaderObject,
  transformOperationObject,
  transformParameterObject,
  transformPathItemObject,
  transformRequestBodyObject,
  transformResponseObject,
  transformSchemaObject,
  tsPropertyIndex,
  type TransformNodeOptions,
} from "#openapi-typescript";
import ts from "#typescript";
import type { Node } from "tenon/core/legacy/document";
import { emitHeader, type EmitOptions, escapeLines } from "./text.js";
import { decodeName, isEncodedName, NAME_MARK } from "./types/names.js";
import { type Piece, type PieceKind, toPieces, type TypesProblem } from "./types/pieces.js";
import { type Extension, getExtension, type TypedSchema } from "./types/typed-schema.js";

export interface TypesOptions extends EmitOptions {
  /**
   * Texts of pieces by what they are made of. Whoever keeps it for the next call has only those pieces emitted anew that
   * changed. It then holds what the last call used. Default: everything is emitted.
   */
  readonly cache?: Map<string, string>;
}

export interface EmittedTypes {
  readonly text: string;
  /** What is typed as `unknown` or left out, because the types cannot say it. */
  readonly problems: readonly TypesProblem[];
  /** Whether properties are marked as `readOnly` or `writeOnly`, so that sent and received types differ. */
  readonly marked: boolean;
}

/**
 * Emits types.ts, from which the client takes its types. The only file that touches openapi-typescript, whose maintenance
 * has ended: it gets pieces that were rewritten in words that it turns into the right types, one at a time.
 * @param document The bundled document; it stays as it is.
 */
export function emitTypes(document: Node, { source, cache }: TypesOptions): EmittedTypes {
  const { pieces, problems } = toPieces(document);
  const used = new Map<string, string>();
  const imports = new Set<string>();
  const failures: TypesProblem[] = [];
  const texts = new Map<PieceKind, string[]>();
  for (const piece of pieces) {
    const siblings = texts.get(piece.kind) ?? [];
    texts.set(piece.kind, siblings);
    try {
      if (piece.failure !== undefined) throw new Error(piece.failure);
      const key = JSON.stringify([piece.kind, piece.name, piece.node]);
      const text = used.get(key) ?? cache?.get(key) ?? emitPiece(piece);
      used.set(key, text);
      siblings.push(text);
      for (const name of piece.imports) imports.add(name);
    } catch (error) {
      const message = `${piece.kind} "${piece.name}" has no type: ${(error as Error).message}`;
      failures.push({ pointer: piece.pointer, message });
      siblings.push(emitUnknown(piece));
    }
  }
  if (cache !== undefined) {
    cache.clear();
    for (const [key, text] of used) cache.set(key, text);
  }
  return {
    text: `${emitHeader(source)}${emitImport(imports)}${emitFile(texts)}`,
    problems: [...problems, ...failures],
    marked: imports.has("$Read") || imports.has("$Write"),
  };
}

function emitImport(names: ReadonlySet<string>): string {
  return names.size === 0 ? "" : `import type { ${[...names].sort().join(", ")} } from "tenon/client";\n`;
}

/** The same exports as openapi-typescript's own, in the same order. */
function emitFile(texts: ReadonlyMap<PieceKind, readonly string[]>): string {
  const of = (kind: PieceKind) => (texts.get(kind) ?? []).join("");
  const root = (kind: PieceKind) =>
    texts.has(kind)
      ? `export interface ${kind} {\n${of(kind)}}\n`
      : `export type ${kind} = Record<string, never>;\n`;
  const components = COMPONENT_KINDS.map((kind) =>
    texts.has(kind) ? `    ${kind}: {\n${of(kind)}    };\n` : `    ${kind}: never;\n`,
  );
  return [
    of("aliases"),
    root("paths"),
    root("webhooks"),
    `export interface components {\n${components.join("")}    pathItems: never;\n}\n`,
    "export type $defs = Record<string, never>;\n",
    root("operations"),
  ].join("");
}

const COMPONENT_KINDS = ["schemas", "responses", "parameters", "requestBodies", "headers"] as const;

function emitPiece(piece: Piece): string {
  return escapeLines(emitMember(piece, piece.node, toType(piece)));
}

function emitUnknown(piece: Piece): string {
  const unknown = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword);
  return escapeLines(emitMember(piece, { description: "Unknown, because it could not be typed." }, unknown));
}

/** `schemas`, `Pet` becomes `        Pet: …;` below its comment; an alias becomes a declaration. */
function emitMember({ kind, name }: Piece, annotations: Node, type: ts.TypeNode): string {
  if (kind === "aliases") return `type ${name} = ${print(type)};\n`;
  const member = ts.factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
  addJSDocComment(annotations, member);
  const [, ...lines] = print(ts.factory.createTypeLiteralNode([member])).split("\n");
  const indent = COMPONENT_KINDS.some((component) => component === kind) ? "    " : "";
  return lines
    .slice(0, -1)
    .map((line) => `${indent}${line}\n`)
    .join("");
}

const PRINTER = ts.createPrinter({
  newLine: ts.NewLineKind.LineFeed,
  // TypeScript's own option for names to stay readable: "größe" and not "gr\u00F6\u00DFe".
  neverAsciiEscape: true,
} as ts.PrinterOptions);
const NOTHING = ts.createSourceFile("types.ts", "", ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS);

function print(node: ts.Node): string {
  return PRINTER.printNode(ts.EmitHint.Unspecified, node, NOTHING);
}

function toType({ kind, node }: Piece): ts.TypeNode {
  const options = { path: "", ctx: createContext(node) };
  const type = transform(kind, node, options);
  // Only names that openapi-typescript would misread are encoded, so that hardly any type is walked.
  if (JSON.stringify(node).includes(NAME_MARK)) decodeNames(type);
  return type;
}

function transform(kind: PieceKind, node: Node, options: TransformNodeOptions): ts.TypeNode {
  // Its types want what documents often lack, and its code does not.
  const object = node as never;
  if (kind !== "schemas" && kind !== "aliases" && typeof node["$ref"] === "string")
    return oapiRef(node["$ref"]);
  switch (kind) {
    case "schemas":
    case "aliases":
      return toSchemaType(node, options);
    case "responses":
      return transformResponseObject(object, options);
    case "parameters":
      return transformParameterObject(object, options);
    case "requestBodies":
      return transformRequestBodyObject(object, options);
    case "headers":
      return transformHeaderObject(object, options);
    case "paths":
    case "webhooks":
      return transformPathItemObject(object, options);
    case "operations":
      return ts.factory.createTypeLiteralNode(transformOperationObject(object, options));
  }
}

function toSchemaType(schema: TypedSchema, options: TransformNodeOptions): ts.TypeNode {
  return transformSchemaObject(schema as SchemaObject, options);
}

/** openapi-typescript's context of a whole run, with nothing in it that a piece could depend on. */
function createContext(node: Node): GlobalContext {
  const context: Partial<GlobalContext> = {
    discriminators: { objects: {}, refsHandled: [] },
    // A property with a default need not be sent.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    injectFooter: [],
    readWriteMarkers: true,
    silent: true,
    transform: (schema, options) => {
      const extension = typeof schema === "object" ? getExtension(schema as TypedSchema) : undefined;
      return extension && toExtensionType(extension, options);
    },
    // It is asked for nothing else than whether the request body that an operation refers to is required.
    resolve: () => node["requestBody"] as never,
  };
  return context as GlobalContext;
}

function toExtensionType(extension: Extension, options: TransformNodeOptions): ts.TypeNode {
  const { factory } = ts;
  switch (extension.kind) {
    case "named":
      return factory.createTypeReferenceNode(extension.name);
    case "defined":
      return factory.createUnionTypeNode([
        factory.createTypeLiteralNode([]),
        factory.createLiteralTypeNode(factory.createNull()),
      ]);
    case "tuple": {
      const items = extension.items.map((item, index) => {
        const type = toSchemaType(item, options);
        return index < extension.required ? type : factory.createOptionalTypeNode(type);
      });
      const rest = extension.rest && toSchemaType(extension.rest, options);
      const others = rest ? [factory.createRestTypeNode(factory.createArrayTypeNode(rest))] : [];
      // In parentheses, because openapi-typescript takes a bare tuple for the array that it is in.
      return factory.createParenthesizedType(factory.createTupleTypeNode([...items, ...others]));
    }
  }
}

/** Gives back the names that were encoded: keys of members and of indexed access types. */
function decodeNames(node: ts.Node): void {
  if (ts.isStringLiteral(node) && isEncodedName(node.text)) node.text = decodeName(node.text);
  ts.forEachChild(node, decodeNames);
}
