import { getSchemas, isNode, type Node, toText } from "tenon/core/legacy/document";
import { getByPointer, getOwn, joinPointer, parsePointer } from "tenon/core/document/pointer";
import { expandHierarchies } from "tenon/core/legacy/hierarchy";
import { toTypeName } from "tenon/core/model/names";
import { type ComponentKind, toHeader, toParameter, toPart, toRequestBody, toResponse } from "./content.js";
import { Operations, toOperation, toPathItem } from "./operations.js";
import { untangle } from "./recursion.js";
import { dereference, entries, follow, toComponent, toReference } from "./references.js";
import { type SchemaContext, toAnnotations, toSchema } from "./schema.js";
import { ANY, extension, type TypedSchema } from "./typed-schema.js";

/** Where a piece of types.ts is: a member of `paths`, of `components["schemas"]`, or a type alias of its own. */
export type PieceKind = "schemas" | ComponentKind | "paths" | "webhooks" | "operations" | "aliases";

/** A part of the document whose text depends on nothing but itself. */
export interface Piece {
  readonly kind: PieceKind;
  readonly name: string;
  /** Rewritten so that openapi-typescript turns it into the right types. */
  readonly node: Node;
  /** In the bundled document, for problems. */
  readonly pointer: string;
  /** Types of the client's that it needs. */
  readonly imports: ReadonlySet<string>;
  /** Why it could not be rewritten. */
  readonly failure?: string;
}

/** Something that types.ts cannot say, so that it says `unknown`. */
export interface TypesProblem {
  /** In the bundled document. */
  readonly pointer: string;
  readonly message: string;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  readonly problems: readonly TypesProblem[];
}

const COMPONENTS: readonly (readonly [ComponentKind, (node: Node, context: SchemaContext) => Node])[] = [
  ["responses", toResponse],
  ["parameters", toParameter],
  ["requestBodies", toRequestBody],
  ["headers", toHeader],
];

/** Takes a bundled document apart. Pieces are in document order, kind by kind; hierarchies are unions, as for the server. */
export function toPieces(bundled: Node): Pieces {
  const problems: TypesProblem[] = [];
  const components = getOwn(bundled, "components");
  const source: Node = {
    ...(isNode(components) && components),
    schemas: expandHierarchies(getSchemas(bundled)),
  };
  const document: Node = { ...bundled, components: source };
  const dialect30 = toText(document["openapi"])?.startsWith("3.0.") === true;
  /** Schemas that are no components and are referred to, by name. */
  const hoisted = new Map<string, string>();
  const targets = new Map<string, TypedSchema>();

  function build(
    kind: PieceKind,
    name: string,
    pointer: string,
    rewrite: (context: SchemaContext) => Node,
  ): Piece {
    const imports = new Set<string>();
    const report = (message: string) => problems.push({ pointer, message });
    const toTarget = (reference: string) => {
      const target = targets.get(reference) ?? toSchemaTarget(reference);
      if (target === undefined) report(`$ref "${reference}" leads nowhere`);
      else targets.set(reference, target);
      return target ?? ANY;
    };
    try {
      const node = rewrite({ document, dialect30, toTarget, imports, report });
      return { kind, name, pointer, node, imports };
    } catch (error) {
      return { kind, name, pointer, node: ANY, imports: new Set(), failure: (error as Error).message };
    }
  }

  function toSchemaTarget(reference: string): TypedSchema | undefined {
    const { node, pointer } = follow(document, reference);
    const component = [reference, pointer].map(toComponent).find((found) => found?.kind === "schemas");
    const declared = component && getOwn(source, "schemas");
    if (component && isNode(declared) && Object.hasOwn(declared, component.name))
      return { $ref: toReference("schemas", component.name) };
    if (node === undefined) return undefined;
    // What is referred to by its place becomes a component that is called so.
    const name = joinPointer("", ...parsePointer(pointer)).slice(1);
    hoisted.set(name, pointer);
    return { $ref: toReference("schemas", name) };
  }

  const buildSchema = (name: string, pointer: string, value: unknown): Piece =>
    build("schemas", name, pointer, (context) => {
      const schema = toSchema(value, context);
      return { ...(isNode(value) && toAnnotations(value)), ...schema };
    });

  const schemas = entries(source, "schemas").map(([name, value]) =>
    buildSchema(name, joinPointer("#/components/schemas", name), value),
  );
  const others = COMPONENTS.flatMap(([kind, rewrite]) =>
    entries(source, kind).map(([name, value]) =>
      build(kind, name, joinPointer("#/components", kind, name), (context) => {
        const part = toPart(value, kind, { context, build: (node) => rewrite(node, context) });
        return part ?? ANY;
      }),
    ),
  );
  const operations = new Operations();
  const found = (["paths", "webhooks"] as const).flatMap((kind) =>
    entries(document, kind)
      .filter(([path]) => kind === "webhooks" || path.startsWith("/"))
      .map(([path, value]) => {
        const pathItem = dereference(document, value) ?? {};
        const pointer = joinPointer("#", kind, path);
        const label = kind === "webhooks" ? `webhooks ${path}` : path;
        return { kind, path, pathItem, pointer, operations: operations.find(pathItem, label, pointer) };
      }),
  );
  const nameSuccessor = operations.describeSuccessor.bind(operations);
  const paths = found.map(({ kind, path, pathItem, pointer, operations: members }) =>
    build(kind, path, pointer, (context) => toPathItem(pathItem, members, { ...context, nameSuccessor })),
  );
  const operationPieces = found
    .flatMap(({ operations: members }) => members)
    .map((operation) =>
      build("operations", operation.key, operation.pointer, (context) => toOperation(operation, context)),
    );
  // A map is walked to its end, with what is added on the way.
  for (const [name, pointer] of hoisted)
    schemas.push(buildSchema(name, pointer, getByPointer(document, pointer)));

  return {
    pieces: [...paths, ...untangleSchemas(schemas, problems), ...others, ...operationPieces],
    problems,
  };
}

function untangleSchemas(pieces: readonly Piece[], problems: TypesProblem[]): readonly Piece[] {
  const byReference = new Map(pieces.map((piece) => [toReference("schemas", piece.name), piece]));
  const taken = new Set<string>();
  const toAlias = (reference: string) => {
    let alias = `${toTypeName(byReference.get(reference)?.name ?? "")}Alias`;
    while (taken.has(alias)) alias += "_";
    taken.add(alias);
    return alias;
  };
  const nodes = new Map([...byReference].map(([reference, { node }]) => [reference, node]));
  const { schemas, aliases, cut } = untangle(nodes, toAlias);
  for (const reference of cut) {
    const { pointer = "", name = "" } = byReference.get(reference) ?? {};
    problems.push({ pointer, message: `Schema "${name}" consists of itself; that part of it is left out` });
  }
  return [...byReference].flatMap(([reference, piece]) => {
    const node = schemas.get(reference) ?? piece.node;
    const alias = aliases.get(reference);
    if (alias === undefined) return [{ ...piece, node }];
    return [
      { ...piece, kind: "aliases", name: alias, node },
      {
        ...piece,
        imports: new Set(),
        node: { ...toAnnotations(piece.node), ...extension({ kind: "named", name: alias }) },
      },
    ];
  });
}
