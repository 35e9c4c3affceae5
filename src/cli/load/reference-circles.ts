import type { BaseResolver, Document } from "@redocly/openapi-core";
import {
  type FileReference,
  findReferenceCircles,
  getFile,
  listReferences,
  type Problem,
} from "tenon/core/document";
import { collectOrigins, toPosition } from "./locate.js";

/**
 * Finds circular references. Redocly throws at the first, without its position.
 * @returns one problem for each reference of a circle. Redocly reports files that cannot be read.
 */
export async function findCircleProblems(
  root: Document,
  resolver: BaseResolver,
): Promise<readonly Problem[]> {
  const documents = new Map([[root.source.absoluteRef, root]]);
  const references: FileReference<Document>[] = [];
  // The loop also visits documents that are added meanwhile.
  for (const document of documents.values()) {
    const found = listReferences(document);
    references.push(...found);
    for (const other of await readTargets(found, resolver)) documents.set(other.source.absoluteRef, other);
  }
  const open = (path: string, { source }: Document) =>
    documents.get(resolver.resolveExternalRef(source.absoluteRef, path));
  return findReferenceCircles(references, open).map(toProblem);
}

async function readTargets(
  references: readonly FileReference<Document>[],
  resolver: BaseResolver,
): Promise<readonly Document[]> {
  const reads = references.flatMap(({ file, reference }) => {
    const path = getFile(reference);
    return path === "" ? [] : [resolver.resolveDocument(file.source.absoluteRef, path)];
  });
  const results = await Promise.allSettled(reads);
  return results.flatMap((result) =>
    result.status === "rejected" || result.value instanceof Error ? [] : [result.value],
  );
}

function toProblem({ file, node, reference }: FileReference<Document>): Problem {
  const origin = collectOrigins(file, new Map()).get(node);
  return {
    code: "reference-unresolved",
    severity: "error",
    message: `$ref ${JSON.stringify(reference)} is circular`,
    ...toPosition(origin ?? { source: file.source, pointer: "#/" }),
  };
}
