import { joinPointer, type Node, parsePointer } from "tenon/core/document";
import { type Contract, toTypeName, UniqueNames } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import {
  type ComponentKind,
  type ContentContext,
  toHeader,
  toParameter,
  toRequestBody,
  toResponse,
} from "./content.js";
import type { EmitProblem } from "../text.js";
import { listPathItems, toOperation, toPathItem } from "./operations.js";
import { untangle } from "./recursion.js";
import { toAnnotatedSchema, toAnnotations } from "./schema.js";
import { extension, referTo, toReference } from "./typed-schema.js";

/** Location of a piece in types.ts: a member of `paths` or of `components["schemas"]`, or a type alias. */
export type PieceKind = "schemas" | ComponentKind | "paths" | "webhooks" | "operations" | "aliases";

/** A part of the contract whose emitted text does not depend on other parts. */
export interface Piece {
  readonly kind: PieceKind;
  readonly name: string;
  /** The part, rewritten so that openapi-typescript emits the right types. */
  readonly node: Node;
  /** Pointer in the bundled document, for problems. */
  readonly pointer: string;
  /** Types to import from the client. */
  readonly imports: ReadonlySet<string>;
}

/** Splits a contract into pieces, by kind and in document order. */
export function toPieces(contract: Contract): {
  readonly pieces: readonly Piece[];
  readonly problems: readonly EmitProblem[];
} {
  const problems: EmitProblem[] = [];
  const { registry, components } = contract;
  /** References to schemas that are not components, by name. */
  const hoisted = new Map<string, string>();
  const findComponent = toFinder(contract);

  const toTarget = (reference: string): Node => {
    const component = registry.nameOf(reference);
    // The target of a reference by location becomes a component with that name.
    const name = component ?? joinPointer("", ...parsePointer(reference)).slice(1);
    if (component === undefined) hoisted.set(name, reference);
    return referTo(toReference("schemas", name));
  };

  const build = (
    kind: PieceKind,
    name: string,
    pointer: string,
    rewrite: (context: ContentContext) => Node,
  ): Piece => {
    const imports = new Set<string>();
    return { kind, name, pointer, node: rewrite({ registry, toTarget, findComponent, imports }), imports };
  };
  const buildSchema = (name: string, schema: Schema): Piece =>
    build("schemas", name, schema.pointer, (context) => toAnnotatedSchema(schema, context));
  const buildAll = <Part extends { readonly pointer: string }>(
    kind: ComponentKind,
    parts: ReadonlyMap<string, Part>,
    rewrite: (part: Part, context: ContentContext) => Node,
  ): readonly Piece[] =>
    [...parts].map(([name, part]) => {
      const pointer = joinPointer("#/components", kind, name);
      const reference = findComponent(part);
      const isAlias = reference !== undefined && reference !== toReference(kind, name);
      return build(kind, name, pointer, (context) => (isAlias ? referTo(reference) : rewrite(part, context)));
    });

  const schemas = contract.schemas.map(({ name, schema }) => buildSchema(name, schema));
  const others = [
    ...buildAll("responses", components.responses, toResponse),
    ...buildAll("parameters", components.parameters, toParameter),
    ...buildAll("requestBodies", components.requestBodies, toRequestBody),
    ...buildAll("headers", components.headers, toHeader),
  ];
  const pathItems = listPathItems(contract);
  const paths = pathItems.map((pathItem) =>
    build(pathItem.kind, pathItem.name, pathItem.pointer, (context) => toPathItem(pathItem, context)),
  );
  const operations = pathItems
    .flatMap((pathItem) => pathItem.operations)
    .map((named) =>
      build("operations", named.key, named.operation.pointer, (context) => toOperation(named, context)),
    );
  // The loop also visits entries that are added meanwhile.
  for (const [name, reference] of hoisted) schemas.push(buildSchema(name, registry.get(reference)));

  return {
    pieces: [...paths, ...untangleSchemas(schemas, problems), ...others, ...operations],
    problems,
  };
}

/** Finds the component with the same pointer as a part. */
function toFinder({ components }: Contract): ContentContext["findComponent"] {
  const references = new Map<string, string>();
  for (const kind of ["responses", "parameters", "requestBodies", "headers"] as const) {
    for (const [name, { pointer }] of components[kind]) {
      const isOwn = pointer === joinPointer("#/components", kind, name);
      if (isOwn || !references.has(pointer)) references.set(pointer, toReference(kind, name));
    }
  }
  return ({ pointer }) => references.get(pointer);
}

function untangleSchemas(pieces: readonly Piece[], problems: EmitProblem[]): readonly Piece[] {
  const byReference = new Map(pieces.map((piece) => [toReference("schemas", piece.name), piece]));
  const taken = new UniqueNames();
  const toAlias = (reference: string) => {
    return taken.add(`${toTypeName(byReference.get(reference)?.name ?? "")}Alias`);
  };
  const nodes = new Map([...byReference].map(([reference, { node }]) => [reference, node]));
  const { schemas, aliases, cut } = untangle(nodes, toAlias);
  for (const reference of cut) {
    const { pointer = "", name = "" } = byReference.get(reference) ?? {};
    problems.push({ pointer, message: `Schema "${name}" consists of itself; the circular part is left out` });
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
