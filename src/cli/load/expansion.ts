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
import { collectOrigins, toPosition, toStart } from "./locate.js";

/** Objects and arrays that the YAML aliases of a contract may add. */
export const MAX_REPEATED = 100_000;

/** Values and characters, keys included, that the YAML aliases of a contract may add. */
export const MAX_REPEATED_TEXT = 10_000_000;

/** Members of one object. Redocly passes them as the arguments of one call, which the stack limits to about 120,000. */
export const MAX_MEMBERS = 100_000;

/** Schemas that one schema may consist of. */
export const MAX_COMPOSED = 10_000;

/** Schemas between a schema and one that it consists of. Redocly, for example, would overflow its stack at a thousand. */
export const MAX_DEPTH = 500;

/** The size of a value with everything below it. */
export interface Size {
  objects: number;
  /** Values, and characters of texts and keys. */
  text: number;
}

/**
 * Refuses an anchor that contains its own alias, which is infinite, and aliases that repeat too much of a file: Redocly and all
 * generated files write an alias as a copy. Also refuses an object with too many members.
 * @param repeated What the aliases of the contract's other files add. The aliases of this one are added to it.
 * @throws {ContractError} `document-syntax` or `expansion-limit`.
 */
export function assertExpandable(
  { parsed, source }: Document,
  repeated: Size = { objects: 0, text: 0 },
): void {
  /** Sizes of objects and arrays with everything in them; undefined while one is measured. */
  const sizes = new Map<object, Size | undefined>();
  let { objects, text } = repeated;
  const refuse = (code: "document-syntax" | "expansion-limit", message: string, pointer: string): never => {
    const position = toPosition({ source, pointer, reportOnKey: true });
    throw new ContractError([createProblem(code, message, position)]);
  };
  const repeats = (limit: number, what: string) => `The YAML aliases repeat more than ${limit} ${what}`;
  const add = (size: Size, pointer: string): void => {
    objects += size.objects;
    text += size.text;
    if (objects > sizes.size + MAX_REPEATED)
      refuse("expansion-limit", repeats(MAX_REPEATED, "objects and arrays"), pointer);
    // An alias of a text looks like the text. Without aliases, a file is never shorter than its values and keys.
    if (text > source.body.length + MAX_REPEATED_TEXT)
      refuse("expansion-limit", repeats(MAX_REPEATED_TEXT, "values and characters"), pointer);
  };
  const measure = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null) {
      add({ objects: 0, text: typeof value === "string" ? value.length + 1 : 1 }, pointer);
      return;
    }
    if (sizes.has(value)) {
      const known = sizes.get(value);
      if (known === undefined)
        return refuse("document-syntax", "A YAML alias must not be inside its own anchor", pointer);
      add(known, pointer);
      return;
    }
    sizes.set(value, undefined);
    const before = { objects, text };
    add({ objects: 1, text: 1 }, pointer);
    const members = Object.entries(value);
    if (!Array.isArray(value) && members.length > MAX_MEMBERS) {
      const message = `The object at ${pointer} has ${members.length} members; at most ${MAX_MEMBERS} can be read`;
      // Finding the position would take minutes: the time of Redocly's second parser grows with the square of the members.
      throw new ContractError([createProblem("expansion-limit", message, toStart(source.absoluteRef))]);
    }
    for (const [key, child] of members) {
      if (!Array.isArray(value)) text += key.length;
      measure(child, joinPointer(pointer, key));
    }
    sizes.set(value, { objects: objects - before.objects, text: text - before.text });
  };
  measure(parsed, "#");
  repeated.objects = objects - sizes.size;
  repeated.text = Math.max(repeated.text, text - source.body.length);
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
