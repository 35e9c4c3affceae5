import { type Document, getLineColLocation, type LocationObject, type Source } from "@redocly/openapi-core";
import {
  ContractError,
  createProblem,
  getOwn,
  joinPointer,
  parsePointer,
  type SourcePosition,
} from "tenon/core/document";
import { JsonPositions, type LineColumn } from "./json-position.js";

/** Finds the author's position of a JSON pointer in the bundled document. */
export type Locate = (pointer: string) => SourcePosition;

/** Objects of parsed documents with their positions in the author's files. */
export type Origins = Map<object, LocationObject>;

/**
 * Refuses binary values, which JSON does not have. They have no position, because Redocly's second parser fails at them.
 * @throws {ContractError} `document-syntax` at the first tag.
 */
export function assertTextual({ source, parsed }: Document): void {
  const seen = new Set<unknown>();
  const isBinary = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null || seen.has(value)) return false;
    seen.add(value);
    return ArrayBuffer.isView(value) || Object.values(value).some(isBinary);
  };
  if (!isBinary(parsed)) return;
  const before = source.body
    .split(/!!binary|tag:yaml\.org,2002:binary/, 1)
    .join("")
    .replace(/!<$/, "");
  const lines = before.split("\n");
  const position = {
    ...toStart(source.absoluteRef),
    line: lines.length,
    column: (lines.at(-1) ?? "").length + 1,
  };
  const message = "The YAML tag !!binary is not supported: write the value as a text";
  throw new ContractError([createProblem("document-syntax", message, position)]);
}

/** Adds every object of a parsed document. */
export function collectOrigins({ source, parsed }: Document, origins: Origins): Origins {
  const visit = (value: unknown, pointer: string) => {
    // A YAML alias is the same object as its anchor, which comes first.
    if (typeof value !== "object" || value === null || origins.has(value)) return;
    origins.set(value, { source, pointer, reportOnKey: true });
    for (const [key, child] of Object.entries(value)) visit(child, joinPointer(pointer, key));
  };
  visit(parsed, "#");
  return origins;
}

/**
 * Creates a function that locates pointers of a bundled document by the nearest object of an author's file and the keys below it.
 * @param findOrigins Called at the first use, because most contracts have no problems.
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
    if (origin?.pointer === undefined)
      throw new Error(`Expected a pointer into a file of the contract; found ${pointer}`);
    return toPosition({ ...origin, pointer: joinPointer(origin.pointer, ...below) });
  };
}

/** The place where the author wrote a value. */
export interface WrittenPlace {
  readonly source: Source;
  readonly pointer: string;
}

/** A document that is not as its author wrote it. */
interface ChangedDocument {
  /** Finds the place where the value at a pointer is written. */
  find(pointer: string): WrittenPlace;
  /** Lists the places where the parts of the value at a pointer are written. */
  list(pointer: string): readonly WrittenPlace[];
}

const CHANGED = new WeakMap<Source, ChangedDocument>();

/** From now on, {@link toPosition} and {@link listWritten} find the values of a document where they are written. */
export function setChanged(source: Source, document: ChangedDocument): void {
  CHANGED.set(source, document);
}

export function listWritten(place: WrittenPlace): readonly WrittenPlace[] {
  return CHANGED.get(place.source)?.list(place.pointer) ?? [place];
}

export function toPosition(given: LocationObject): SourcePosition {
  const { source, pointer } = given;
  const location = { ...given, ...(pointer !== undefined && CHANGED.get(source)?.find(pointer)) };
  const { line, col } = findStart(location);
  return { file: location.source.absoluteRef, line, column: col, pointer: location.pointer ?? "#/" };
}

/** The position of a whole file. */
export function toStart(file: string): SourcePosition {
  return { file, line: 1, column: 1, pointer: "#/" };
}

const JSON_POSITIONS = new WeakMap<Source, JsonPositions>();

/** From now on, positions in a source of JSON are found without Redocly's second parser, which is one of YAML. */
export function setJson(source: Source): void {
  JSON_POSITIONS.set(source, new JsonPositions(source.body));
}

function findStart(location: LocationObject): LineColumn {
  const { pointer, source, reportOnKey = false } = location;
  const json = pointer === undefined ? undefined : JSON_POSITIONS.get(source);
  // Redocly's pointer of the root is `#/`.
  if (json)
    return json.find(
      parsePointer(pointer ?? "").filter((key) => key !== ""),
      reportOnKey,
    );
  const { start, end } = getLineColLocation(location);
  const isWritten = location.pointer === undefined || end?.line !== start.line || end.col !== start.col;
  // A missing value, as in `get:`, has no position; its key has one.
  return isWritten ? start : getLineColLocation({ ...location, reportOnKey: true }).start;
}
