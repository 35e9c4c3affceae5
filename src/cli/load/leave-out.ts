import type { BaseResolver, Document } from "@redocly/openapi-core";
import {
  getByPointer,
  getFile,
  getOwn,
  getReference,
  isNode,
  joinPointer,
  type Node,
  parsePointer,
  type Problem,
  toNode,
} from "tenon/core/document";
import { HTTP_METHODS } from "tenon/core/http";
import { listWritten, type WrittenPlace } from "./locate.js";

/** A part of a contract that can be left out: an operation, a path item, a webhook or a component. */
export interface Part {
  /** `GET /pets`, `component schemas/Pet` */
  readonly name: string;
  /** Absolute path of the file that contains it. */
  readonly file: string;
  readonly pointer: string;
}

/** A value in a file. */
interface Place {
  readonly document: Document;
  readonly pointer: string;
}

/** A part, and the values that belong to no smaller part. */
interface Candidate extends Part {
  readonly own: readonly Place[];
}

/** Removes parts from the documents of a contract, which the resolver keeps. */
export async function leaveOut(parts: readonly Part[], resolver: BaseResolver): Promise<void> {
  for (const { file, pointer } of parts) {
    const document = await resolver.resolveDocument(null, file);
    if (document instanceof Error) continue;
    const [first, path = "", ...rest] = parsePointer(pointer);
    remove(document, pointer);
    const item = joinPointer("#", "paths", path);
    const isOperation = first === "paths" && rest.length > 0;
    if (isOperation && listOperations(toNode(read({ document, pointer: item }))).length === 0)
      remove(document, item);
  }
}

function remove(document: Document, pointer: string): void {
  const keys = parsePointer(pointer);
  const owner = read({ document, pointer: joinPointer("#", ...keys.slice(0, -1)) });
  if (isNode(owner)) Reflect.deleteProperty(owner, keys.at(-1) ?? "");
}

const ADDITIONAL = "additionalOperations";

function isMethod(key: string): boolean {
  return (HTTP_METHODS as readonly string[]).includes(key);
}

/** Lists the keys of a path item's operations, and the method of each. */
function listOperations(
  pathItem: Node,
): readonly { readonly keys: readonly string[]; readonly method: string }[] {
  const additional = Object.keys(toNode(getOwn(pathItem, ADDITIONAL)));
  return [
    ...Object.keys(pathItem).flatMap((key) =>
      isMethod(key) ? [{ keys: [key], method: key.toUpperCase() }] : [],
    ),
    ...additional.map((method) => ({ keys: [ADDITIONAL, method], method })),
  ];
}

/**
 * Finds the parts that have or refer to a value with an error, each with the first one.
 * @returns undefined if an error belongs to no part, so that the whole contract is invalid.
 */
export async function findInvalidParts(
  root: Document,
  errors: readonly Problem[],
  resolver: BaseResolver,
): Promise<ReadonlyMap<Part, Problem> | undefined> {
  const follow = createFollow(resolver);
  const found = new Map<Part, Problem>();
  const assigned = new Set<Problem>();
  for (const { own, ...part } of await listParts(root, follow)) {
    const places = (await reach(own, follow)).flatMap(toWritten);
    const ownErrors = errors.filter((error) => places.some((place) => isWithin(error, place)));
    for (const error of ownErrors) assigned.add(error);
    if (ownErrors[0] !== undefined) found.set(part, ownErrors[0]);
  }
  return errors.every((error) => assigned.has(error)) ? found : undefined;
}

type Follow = (reference: string, from: Document) => Promise<Place | undefined>;

function createFollow(resolver: BaseResolver): Follow {
  return async (reference, from) => {
    const path = getFile(reference);
    const pointer = reference.slice(path.length) || "#";
    if (path === "") return { document: from, pointer };
    const document = await resolver.resolveDocument(from.source.absoluteRef, path).catch(() => undefined);
    return document === undefined || document instanceof Error ? undefined : { document, pointer };
  };
}

async function listParts(root: Document, follow: Follow): Promise<readonly Candidate[]> {
  const file = root.source.absoluteRef;
  const document = toNode(root.parsed);
  const toWhole = (name: string, pointer: string): Candidate => {
    return { name, file, pointer, own: [{ document: root, pointer }] };
  };
  const parts: Candidate[] = [];
  for (const path of Object.keys(toNode(getOwn(document, "paths")))) {
    const pointer = joinPointer("#", "paths", path);
    let item: Place | undefined = { document: root, pointer };
    const reference = getReference(toNode(read(item)));
    if (reference !== undefined) item = await follow(reference, root);
    const place = item ?? { document: root, pointer };
    const found = toNode(read(place));
    for (const { keys, method } of listOperations(found)) {
      const own = { document: place.document, pointer: joinPointer(place.pointer, ...keys) };
      const name = `${method} ${path}`;
      parts.push({ name, file: own.document.source.absoluteRef, pointer: own.pointer, own: [own] });
    }
    const shared = Object.keys(found)
      .filter((key) => !isMethod(key) && key !== ADDITIONAL)
      .map((key) => ({ document: place.document, pointer: joinPointer(place.pointer, key) }));
    parts.push({
      name: path,
      file,
      pointer,
      own: [...shared, toKey(root, pointer), toKey(place.document, place.pointer)],
    });
  }
  for (const name of Object.keys(toNode(getOwn(document, "webhooks"))))
    parts.push(toWhole(`webhook ${name}`, joinPointer("#", "webhooks", name)));
  for (const [kind, components] of Object.entries(toNode(getOwn(document, "components"))))
    for (const name of Object.keys(toNode(components)))
      parts.push(toWhole(`component ${kind}/${name}`, joinPointer("#", "components", kind, name)));
  return parts;
}

/** The place of a value without its members. */
type Key = Place & { readonly isKey?: true };

function toKey(document: Document, pointer: string): Key {
  return { document, pointer, isKey: true };
}

function read({ document, pointer }: Place): unknown {
  return pointer === "#" ? document.parsed : getByPointer(toNode(document.parsed), pointer);
}

/** Lists the places of values, and those that they refer to, at any depth. */
async function reach(own: readonly Key[], follow: Follow): Promise<readonly Key[]> {
  const found = new Map<string, Key>();
  const pending = [...own];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const key = `${place.document.source.absoluteRef} ${place.pointer} ${String(place.isKey)}`;
    if (found.has(key)) continue;
    found.set(key, place);
    if (place.isKey) continue;
    for (const reference of listTargets(read(place))) {
      const target = await follow(reference, place.document);
      if (target !== undefined) pending.push(target);
    }
  }
  return [...found.values()];
}

/** Lists the references in a value, including those of discriminators. */
function listTargets(value: unknown, seen = new Set<object>()): readonly string[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  const own = isNode(value) ? getReference(value) : undefined;
  const mapping = isNode(value) ? toNode(getOwn(value, "mapping")) : {};
  const mapped = [...Object.values(mapping), isNode(value) && getOwn(value, "defaultMapping")].filter(
    (one) => typeof one === "string" && /[#/.]/.test(one),
  ) as string[];
  const inner = Object.values(value).flatMap((child) => listTargets(child, seen));
  return [...(own === undefined ? [] : [own]), ...mapped, ...inner];
}

/** Lists the places where a value and its parts are written: an overlay may have changed them. */
function toWritten({ document, pointer, isKey }: Key): readonly Written[] {
  const places = listWritten({ source: document.source, pointer });
  return (isKey ? places.slice(0, 1) : places).map((place) => ({ ...place, isKey: isKey === true }));
}

type Written = WrittenPlace & { readonly isKey: boolean };

function isWithin({ file, pointer }: Problem, place: Written): boolean {
  if (file !== place.source.absoluteRef) return false;
  const [keys, within] = [pointer, place.pointer].map((one) => (one === "#/" ? [] : parsePointer(one)));
  if (keys === undefined || within === undefined) return false;
  return (
    (place.isKey ? keys.length === within.length : keys.length >= within.length) &&
    within.every((key, index) => key === keys[index])
  );
}
