import type { BaseResolver, Document } from "@redocly/openapi-core";
import { isNode, type Node, toText } from "tenon/core/legacy/document";
import { getOwn, parsePointer } from "tenon/core/document/pointer";
import { collectOrigins, toPosition } from "./locate.js";
import type { Problem } from "tenon/core/document/problem";

/** An object with `$ref`, and the document that it is written in. */
interface Reference {
  readonly document: Document;
  readonly node: Node;
  readonly target: string;
}

/** What a reference leads to in the end, and where that is written. */
interface Target {
  readonly document: Document;
  readonly value: unknown;
}

/** Whose values are data: a `$ref` in them refers to nothing. */
const DATA = new Set(["const", "default", "enum", "example", "value"]);
/** Whose keys are the author's names, and no keywords. */
const NAMED = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "responses", "headers"],
  ...["schemas", "parameters", "requestBodies", "examples", "links", "callbacks", "pathItems"],
]);

/**
 * Finds references that lead back to themselves with nothing in between, as `A: { $ref: B }` and `B: { $ref: A }` do, also through
 * other files. Redocly throws at the first, without its place. A circle through properties or items is none of these.
 * @returns One problem for each reference of a circle. What cannot be read is left to Redocly, which tells it.
 */
export async function findReferenceCircles(
  root: Document,
  resolver: BaseResolver,
): Promise<readonly Problem[]> {
  const documents = new Map([[root.source.absoluteRef, root]]);
  const references: Reference[] = [];
  // A map's iteration goes on with what is added meanwhile.
  for (const document of documents.values()) {
    const found = collectReferences(document);
    references.push(...found);
    for (const other of await readTargets(found, resolver)) {
      documents.set(other.source.absoluteRef, other);
    }
  }
  return [
    ...findCircles(references, (uri, { source }) => {
      return documents.get(resolver.resolveExternalRef(source.absoluteRef, uri));
    }),
  ].map(toProblem);
}

/** One reference for each target: who else refers to it has the same before it. */
function collectReferences(document: Document): readonly Reference[] {
  const references = new Map<string, Reference>();
  // A YAML alias is its anchor's object again, and an anchor can contain its alias.
  const seen = new Set<object>();
  const visit = (value: unknown, hasNames: boolean): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const reference = hasNames ? undefined : toReference(value, document);
    if (reference !== undefined) references.set(reference.target, reference);
    for (const [key, child] of Object.entries(value)) {
      if (!hasNames && DATA.has(key)) continue;
      visit(child, !hasNames && NAMED.has(key) && isNode(child));
    }
  };
  visit(document.parsed, false);
  return [...references.values()];
}

function toReference(value: unknown, document: Document): Reference | undefined {
  const target = isNode(value) ? toText(getOwn(value, "$ref")) : undefined;
  return target === undefined ? undefined : { document, node: value as Node, target };
}

async function readTargets(
  references: readonly Reference[],
  resolver: BaseResolver,
): Promise<readonly Document[]> {
  const reads = references.flatMap(({ document, target }) => {
    const uri = toUri(target);
    return uri === "" ? [] : [resolver.resolveDocument(document.source.absoluteRef, uri)];
  });
  const results = await Promise.allSettled(reads);
  return results.flatMap((result) =>
    result.status === "rejected" || result.value instanceof Error ? [] : [result.value],
  );
}

function toUri(target: string): string {
  return target.split("#", 1)[0] ?? "";
}

/** Every reference of every circle, once. */
function findCircles(
  references: readonly Reference[],
  open: (uri: string, from: Document) => Document | undefined,
): ReadonlySet<Reference> {
  const circular = new Map<Node, Reference>();

  function follow(reference: Reference, within: readonly Reference[]): Target | undefined {
    const start = within.findIndex(({ node }) => node === reference.node);
    if (start >= 0) {
      for (const member of within.slice(start)) circular.set(member.node, member);
      return undefined;
    }
    const path = [...within, reference];
    const { document, target } = reference;
    const uri = toUri(target);
    const opened = uri === "" ? document : open(uri, document);
    let found: Target | undefined = opened && { document: opened, value: opened.parsed };
    for (const key of parsePointer(target.slice(uri.length))) {
      found = step(found, key) ?? step(found && followOn(found, path), key);
    }
    return found && followOn(found, path);
  }

  /** A target that is a reference itself is followed too. */
  function followOn(found: Target, within: readonly Reference[]): Target | undefined {
    const reference = toReference(found.value, found.document);
    return reference === undefined ? found : follow(reference, within);
  }

  for (const reference of references) follow(reference, []);
  return new Set(circular.values());
}

function step(found: Target | undefined, key: string): Target | undefined {
  if (typeof found?.value !== "object" || found.value === null) return undefined;
  const value = getOwn(found.value, key);
  return value === undefined ? undefined : { ...found, value };
}

function toProblem({ document, node, target }: Reference): Problem {
  const origin = collectOrigins(document, new Map()).get(node);
  const { source } = document;
  return {
    code: "reference-unresolved",
    severity: "error",
    message: `$ref ${JSON.stringify(target)} leads back to itself, with nothing in between`,
    ...toPosition(origin ?? { source, pointer: "#/" }),
  };
}
