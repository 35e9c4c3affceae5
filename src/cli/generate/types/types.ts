import {
  addJSDocComment,
  type GlobalContext,
  oapiRef,
  type ParameterObject,
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
import type { Node } from "tenon/core/document";
import type { Contract } from "tenon/core/model";
import { emitHeader, emitImport, type EmitOptions, type EmitProblem, escapeLines } from "../text.js";
import { type Piece, type PieceKind, toPieces } from "./pieces.js";
import {
  decodeName,
  type Extension,
  getExtension,
  getReference,
  isEncodedName,
  NAME_MARK,
  type TypedSchema,
} from "./typed-schema.js";

export interface TypesOptions extends EmitOptions {
  /**
   * Texts of pieces by their content. Pass the same map again to emit only the pieces that changed; it then contains the pieces of
   * the last call. Default: everything is emitted.
   */
  readonly cache?: Map<string, string>;
}

export interface EmittedTypes {
  readonly text: string;
  /** Parts that are typed as `unknown` or left out, because the types cannot express them. */
  readonly problems: readonly EmitProblem[];
  /** True if properties are marked as `readOnly` or `writeOnly`, so that sent and received types differ. */
  readonly marked: boolean;
}

/**
 * Emits types.ts, the types of the client. Only this file uses openapi-typescript, which is no longer maintained. It gets one piece
 * at a time, rewritten so that it emits the right type.
 */
export function emitTypes(contract: Contract, { source, cache }: TypesOptions): EmittedTypes {
  const { pieces, problems } = toPieces(contract);
  const used = new Map<string, string>();
  const imports = new Set<string>();
  const failures: EmitProblem[] = [];
  const texts = new Map<PieceKind, string[]>();
  for (const piece of pieces) {
    const siblings = texts.get(piece.kind) ?? [];
    texts.set(piece.kind, siblings);
    try {
      const key = JSON.stringify([piece.kind, piece.name, piece.node]);
      const text = used.get(key) ?? cache?.get(key) ?? emitPiece(piece);
      used.set(key, text);
      siblings.push(text);
      for (const name of piece.imports) imports.add(name);
    } catch (error) {
      const message = `Cannot generate a type for ${piece.kind} "${piece.name}": ${(error as Error).message}`;
      failures.push({ pointer: piece.pointer, message });
      siblings.push(emitUnknown(piece));
    }
  }
  if (cache !== undefined) {
    cache.clear();
    for (const [key, text] of used) cache.set(key, text);
  }
  const names = [...imports].sort().map((name) => `type ${name}`);
  return {
    text: `${emitHeader(source)}${emitImport("tenon/client", names)}${emitFile(texts)}`,
    problems: [...problems, ...failures],
    marked: imports.has("$Read") || imports.has("$Write"),
  };
}

/** Emits the same exports as openapi-typescript, in the same order. */
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
  return escapeLines(
    emitMember(piece, { description: "Unknown: it cannot be expressed as a type." }, unknown),
  );
}

/** Emits a piece as a member: `schemas`, `Pet` becomes `        Pet: …;` below its comment. An alias becomes a declaration. */
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
  // Keeps names readable: "größe" instead of "gr\u00F6\u00DFe".
  neverAsciiEscape: true,
} as ts.PrinterOptions);
const NOTHING = ts.createSourceFile("types.ts", "", ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS);

function print(node: ts.Node): string {
  return PRINTER.printNode(ts.EmitHint.Unspecified, node, NOTHING);
}

function toType({ kind, node }: Piece): ts.TypeNode {
  const options = { path: "", ctx: createContext(node) };
  const type = transform(kind, node, options);
  // Only the few names that openapi-typescript would misread are encoded.
  if (JSON.stringify(node).includes(NAME_MARK)) decodeNames(type);
  return type;
}

/** Their types require members that their code does not need and documents often lack. */
const TRANSFORMS: Readonly<Record<PieceKind, (node: never, options: TransformNodeOptions) => ts.TypeNode>> = {
  schemas: transformSchemaObject,
  aliases: transformSchemaObject,
  responses: transformResponseObject,
  parameters: transformParameterObject,
  requestBodies: transformRequestBodyObject,
  headers: transformHeaderObject,
  paths: toPathItemType,
  webhooks: toPathItemType,
  operations: (node, options) =>
    ts.factory.createTypeLiteralNode(withQuerystring(transformOperationObject(node, options), node, options)),
};

/** Adds the parameter `in: querystring`, which openapi-typescript does not know, to the parameters of an operation. */
function withQuerystring(
  members: ts.TypeElement[],
  { parameters = [] }: { readonly parameters?: readonly ParameterObject[] },
  options: TransformNodeOptions,
): ts.TypeElement[] {
  const parameter = parameters.find((one) => (one.in as string) === "querystring");
  if (parameter === undefined) return members;
  const [asQuery] = transformOperationObject({ parameters: [{ ...parameter, in: "query" }] }, options);
  const [own] = toMembers(asQuery);
  if (own !== undefined) (own as { name: ts.PropertyName }).name = ts.factory.createIdentifier("querystring");
  return members.map((member) =>
    own && member.name && ts.isIdentifier(member.name) && member.name.text === "parameters"
      ? ts.factory.createPropertySignature(
          undefined,
          member.name,
          (member as ts.PropertySignature).questionToken,
          ts.factory.createTypeLiteralNode([...toMembers(member), own]),
        )
      : member,
  );
}

function toMembers(element: ts.TypeElement | undefined): readonly ts.TypeElement[] {
  const type = element && ts.isPropertySignature(element) ? element.type : undefined;
  return type && ts.isTypeLiteralNode(type) ? type.members : [];
}

function transform(kind: PieceKind, node: Node, options: TransformNodeOptions): ts.TypeNode {
  const reference = getReference(node);
  const isSchema = kind === "schemas" || kind === "aliases";
  return isSchema || reference === undefined ? TRANSFORMS[kind](node as never, options) : oapiRef(reference);
}

/** Adds the methods that openapi-typescript does not know: `query` and additional operations. All are references. */
function toPathItemType(pathItem: Node, options: TransformNodeOptions): ts.TypeNode {
  const type = transformPathItemObject(pathItem, options) as ts.TypeLiteralNode;
  const others = Object.entries(pathItem).flatMap(([key, member]) => {
    const reference =
      key === "parameters" || KNOWN_METHODS.has(key) ? undefined : getReference(member as Node);
    if (reference === undefined) return [];
    const name = tsPropertyIndex(key);
    const property = ts.factory.createPropertySignature(undefined, name, undefined, oapiRef(reference));
    addJSDocComment(member as Node, property);
    return [property];
  });
  return others.length === 0 ? type : ts.factory.createTypeLiteralNode([...type.members, ...others]);
}

const KNOWN_METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function toSchemaType(schema: TypedSchema, options: TransformNodeOptions): ts.TypeNode {
  return transformSchemaObject(schema as SchemaObject, options);
}

/** Creates openapi-typescript's context of a run, without anything that a piece could depend on. */
function createContext(node: Node): GlobalContext {
  const context: Partial<GlobalContext> = {
    discriminators: { objects: {}, refsHandled: [] },
    // A property with a default is optional in requests.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    injectFooter: [],
    readWriteMarkers: true,
    silent: true,
    transform: (schema, options) => {
      const extension = typeof schema === "object" ? getExtension(schema as TypedSchema) : undefined;
      return extension && toExtensionType(extension, options);
    },
    // Only called to find out whether the request body that an operation refers to is required.
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
    case "items":
      return factory.createTypeReferenceNode(extension.sync ? "Iterable" : "AsyncIterable", [
        toSchemaType(extension.item, options),
      ]);
    case "tuple": {
      const items = extension.items.map((item, index) => {
        const type = toSchemaType(item, options);
        return index < extension.required ? type : factory.createOptionalTypeNode(type);
      });
      const rest = extension.rest && toSchemaType(extension.rest, options);
      const others = rest ? [factory.createRestTypeNode(factory.createArrayTypeNode(rest))] : [];
      // In parentheses, because openapi-typescript would merge a bare tuple with the array around it.
      return factory.createParenthesizedType(factory.createTupleTypeNode([...items, ...others]));
    }
  }
}

function decodeNames(node: ts.Node): void {
  if (ts.isStringLiteral(node) && isEncodedName(node.text)) node.text = decodeName(node.text);
  ts.forEachChild(node, decodeNames);
}
