import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type BaseResolver, type Document, isAbsoluteUrl, YamlParseError } from "@redocly/openapi-core";
import {
  getOwn,
  hasComponent,
  isNode,
  joinPointer,
  parsePointer,
  toComponentReference,
} from "tenon/core/document";
import { describeFileError } from "./file-error.js";
import { findNearest } from "../output/nearest.js";

/** The reason why a reference cannot be resolved, and a suggestion. */
export interface Unresolved {
  readonly message: string;
  readonly hint?: string;
}

/**
 * Explains why a reference cannot be resolved, and suggests the nearest existing name.
 * @param document The document that contains the reference.
 * @param resolver The resolver that read, or tried to read, the file of the target.
 */
export async function explainUnresolved(
  reference: string,
  document: Document,
  resolver: BaseResolver,
): Promise<Unresolved> {
  const [uri = "", fragment] = reference.split("#", 2);
  const message = `Cannot resolve $ref ${JSON.stringify(reference)}`;
  let target = document;
  if (uri !== "") {
    const { absoluteRef } = document.source;
    try {
      const found = await resolver.resolveDocument(absoluteRef, uri);
      if (found instanceof Error) throw found;
      target = found;
    } catch (error) {
      if (error instanceof YamlParseError) return { message: `${message}: the file cannot be parsed` };
      const path = resolver.resolveExternalRef(absoluteRef, uri);
      return {
        message: `${message}: ${describeFileError(error)}`,
        ...suggest(nearestFile(uri, path, document)),
      };
    }
  }
  if (!isNode(target.parsed)) return { message: `${message}: the file does not contain an object` };
  const nearest = nearestPointer(`#${fragment ?? ""}`, target.parsed);
  return { message, ...suggest(nearest && `${uri}${nearest}`) };
}

function suggest(nearest: string | undefined): { readonly hint?: string } {
  return nearest === undefined ? {} : { hint: `Did you mean ${nearest}?` };
}

/** Finds a similar file of the folder, or the component of that name. */
function nearestFile(uri: string, path: string, { parsed }: Document): string | undefined {
  if (hasComponent(parsed, uri)) return toComponentReference(uri);
  if (isAbsoluteUrl(path)) return undefined;
  const name = basename(path);
  const nearest = findNearest(name, listFolder(dirname(path)));
  return nearest === undefined ? undefined : uri.slice(0, uri.length - name.length) + nearest;
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the pointer with each unknown key replaced by the nearest existing one. */
function nearestPointer(fragment: string, document: object): string | undefined {
  let [value, pointer]: [unknown, string] = [document, "#"];
  for (const key of parsePointer(fragment)) {
    if (typeof value !== "object" || value === null) return undefined;
    const known = Object.hasOwn(value, key) ? key : findNearest(key, Object.keys(value));
    if (known === undefined) return undefined;
    value = getOwn(value, known);
    pointer = joinPointer(pointer, known);
  }
  return pointer === fragment || pointer === "#" ? undefined : pointer;
}
