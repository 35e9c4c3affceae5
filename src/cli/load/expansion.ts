import type { Document } from "@redocly/openapi-core";
import {
  ContractError,
  createProblem,
  getByPointer,
  getFile,
  getOwn,
  getReference,
  isNode,
  joinPointer,
} from "tenon/core/document";
import { collectOrigins, toPosition } from "./locate.js";

/** Objects and arrays that the YAML aliases of one file may add. */
export const MAX_REPEATED = 100_000;

/** Schemas that one schema may consist of. */
export const MAX_COMPOSED = 10_000;

/** Schemas between a schema and one that it consists of. Redocly, for example, would overflow its stack at a thousand. */
export const MAX_DEPTH = 500;

/**
 * Refuses an anchor that contains its own alias, which is infinite, and aliases that repeat too much of a file: Redocly and all
 * generated files write an alias as a copy.
 * @throws {ContractError} `document-syntax` or `expansion-limit`.
 */
export function assertExpandable({ parsed, source }: Document): void {
  /** Number of objects and arrays in a value; undefined while it is counted. */
  const sizes = new Map<object, number | undefined>();
  let repeated = 0;
  const refuse = (code: "document-syntax" | "expansion-limit", message: string, pointer: string): never => {
    const position = toPosition({ source, pointer, reportOnKey: true });
    throw new ContractError([createProblem(code, message, position)]);
  };
  const count = (value: unknown, pointer: string): number => {
    if (typeof value !== "object" || value === null) return 0;
    if (sizes.has(value)) {
      const known = sizes.get(value);
      if (known === undefined)
        return refuse("document-syntax", "A YAML alias must not be inside its own anchor", pointer);
      repeated += known;
      if (repeated > MAX_REPEATED)
        refuse(
          "expansion-limit",
          `The YAML aliases repeat more than ${MAX_REPEATED} objects and arrays`,
          pointer,
        );
      return known;
    }
    sizes.set(value, undefined);
    let size = 1;
    for (const [key, child] of Object.entries(value))
      if (typeof child === "object") size += count(child, joinPointer(pointer, key));
    sizes.set(value, size);
    return size;
  };
  count(parsed, "#");
}

const COMPOSING = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/**
 * Refuses schemas whose `allOf`, `anyOf`, `oneOf` and the like refer to the same schemas again and again: types, examples and rules
 * work on each of them. Twenty schemas that each include the next one twice are a million.
 * @param open Returns the file of a reference, or undefined if it cannot be read.
 * @throws {ContractError} `expansion-limit`.
 */
export function assertComposable(
  documents: readonly Document[],
  open: (path: string, from: Document) => Document | undefined,
): void {
  const sizes = new Map<object, number>();
  const seen = new Set<object>();
  const refuse = (node: object, file: Document, reason: string): never => {
    const origin = collectOrigins(file, new Map()).get(node);
    const position = toPosition(origin ?? { source: file.source, pointer: "#/" });
    throw new ContractError([createProblem("expansion-limit", `The schema ${reason}`, position)]);
  };
  const measure = (value: unknown, file: Document, depth = 0): number => {
    if (!isNode(value)) return 0;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) refuse(value, file, `is more than ${MAX_DEPTH} references and compositions deep`);
    // A circle counts once. It is reported where it is not allowed.
    sizes.set(value, 0);
    const reference = getReference(value);
    let size = 1;
    if (reference !== undefined) {
      const path = getFile(reference);
      const target = path === "" ? file : open(path, file);
      if (isNode(target?.parsed))
        size += measure(findTarget(target.parsed, reference.slice(path.length)), target, depth + 1);
    }
    for (const key of COMPOSING) {
      const members = getOwn(value, key);
      for (const member of Array.isArray(members) ? members : [members])
        size += measure(member, file, depth + 1);
    }
    if (size > MAX_COMPOSED)
      refuse(value, file, `consists of more than ${MAX_COMPOSED} schemas, because it repeats references`);
    sizes.set(value, size);
    return size;
  };
  const visit = (value: unknown, file: Document): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    measure(value, file);
    for (const child of Object.values(value)) visit(child, file);
  };
  for (const document of documents) visit(document.parsed, document);
}

function findTarget(document: object, pointer: string): unknown {
  return pointer === "" || pointer === "#" ? document : getByPointer(document, pointer);
}
