import { type Document, getLineColLocation, type LocationObject } from "@redocly/openapi-core";
import { getOwn, joinPointer, parsePointer } from "tenon/core/document/pointer";
import type { SourcePosition } from "tenon/core/document/problem";

/** Finds where the author wrote what the bundled document has at a JSON pointer. */
export type Locate = (pointer: string) => SourcePosition;

/** Objects of parsed documents, each with the place where somebody wrote it. */
export type Origins = Map<object, LocationObject>;

/** Adds every object of a document as it was parsed. */
export function collectOrigins({ source, parsed }: Document, origins: Origins): Origins {
  const visit = (value: unknown, pointer: string) => {
    // A YAML alias is its anchor's object again: the anchor's place is the first one met.
    if (typeof value !== "object" || value === null || origins.has(value)) return;
    origins.set(value, { source, pointer, reportOnKey: true });
    for (const [key, child] of Object.entries(value)) visit(child, joinPointer(pointer, key));
  };
  visit(parsed, "#");
  return origins;
}

/**
 * Locates within a bundled document: the nearest object that somebody wrote, and the keys below it.
 * @param findOrigins Called when something is located for the first time: most contracts have nothing to tell.
 */
export function createLocate(bundled: object, findOrigins: () => Origins): Locate {
  let found: Origins | undefined;
  return (pointer) => {
    const origins = (found ??= findOrigins());
    let value: unknown = bundled;
    let origin = origins.get(bundled);
    let below: string[] = [];
    for (const key of parsePointer(pointer)) {
      value = typeof value === "object" && value !== null ? getOwn(value, key) : undefined;
      const own = typeof value === "object" && value !== null ? origins.get(value) : undefined;
      below = own === undefined ? [...below, key] : [];
      origin = own ?? origin;
    }
    if (origin?.pointer === undefined) throw new Error(`No file has what is at ${pointer}`);
    return toPosition({ ...origin, pointer: joinPointer(origin.pointer, ...below) });
  };
}

export function toPosition(location: LocationObject): SourcePosition {
  const { line, col } = findStart(location);
  return { file: location.source.absoluteRef, line, column: col, pointer: location.pointer ?? "#/" };
}

function findStart(location: LocationObject): { readonly line: number; readonly col: number } {
  const { start, end } = getLineColLocation(location);
  const isWritten = location.pointer === undefined || end?.line !== start.line || end.col !== start.col;
  // What is not written, as the value in `get:`, has no place; its key has one.
  return isWritten ? start : getLineColLocation({ ...location, reportOnKey: true }).start;
}
