import { type Located, members } from "tenon/core/legacy/document";
import { coversEssence, isRange, toEssence, toMediaKind } from "tenon/core/http/media-type";
import { type Scope, type Sides, tell } from "./comparison.js";
import { readEncoding } from "./parameters.js";
import { readSchema } from "./schema/keywords.js";
import { compareSchemas } from "./schemas.js";
import type { Direction } from "./view.js";

interface Owner {
  readonly direction: Direction;
  /** `The request body`. */
  readonly name: string;
}

type MediaType = Located & { readonly name: string };

/** Compares what a body may be, by media type. One that a range of the other side covers is compared with the range. */
export function compareContent(owners: Sides<Located>, owner: Owner, scope: Scope): void {
  const [base, revision] = [members(owners.base, "content"), members(owners.revision, "content")];
  const isRequest = owner.direction === "request";
  for (const one of base) {
    const other = findSame(one, revision) ?? findCovering(one, revision);
    if (other !== undefined) {
      compareMediaType({ base: one, revision: other }, owner, scope);
      continue;
    }
    const narrowed = isRange(one.name) && revision.some(({ name }) => covers(one.name, name));
    const code = isRequest
      ? "request-media-type-removed"
      : narrowed
        ? "response-media-type-narrowed"
        : "response-media-type-removed";
    const message = `${owner.name} is no longer ${one.name}${narrowed ? " of any kind" : ""}`;
    tell(code, { message, at: { base: one }, before: one.name }, scope);
  }
  for (const one of revision) {
    if (findSame(one, base) !== undefined) continue;
    const covering = findCovering(one, base);
    if (covering !== undefined) {
      // Told above where a range was followed by what is in it.
      compareMediaType({ base: covering, revision: one }, owner, scope);
      continue;
    }
    const widened = isRange(one.name) && base.some(({ name }) => covers(one.name, name));
    const code = isRequest
      ? "request-media-type-added"
      : widened
        ? "response-media-type-widened"
        : "response-media-type-added";
    tell(
      code,
      { message: `${owner.name} can be ${one.name}`, at: { revision: one }, after: one.name },
      scope,
    );
  }
}

function findSame(one: MediaType, others: readonly MediaType[]): MediaType | undefined {
  const wanted = toName(one.name);
  return others.find(({ name }) => toName(name) === wanted);
}

/** `Text/CSV; Header=present` and `text/csv;header=present` are one. What `charset=utf-8` says of JSON goes without saying. */
function toName(mediaType: string): string {
  const [, ...parameters] = mediaType.toLowerCase().replace(/\s+/g, "").split(";");
  const told = parameters.filter((parameter) => parameter !== "charset=utf-8").sort();
  return [toEssence(mediaType), ...told].join(";");
}

function findCovering(one: MediaType, ranges: readonly MediaType[]): MediaType | undefined {
  return ranges.find(({ name }) => covers(name, one.name));
}

function covers(range: string, mediaType: string): boolean {
  return (
    isRange(range) &&
    toName(range) !== toName(mediaType) &&
    coversEssence(toEssence(range), toEssence(mediaType))
  );
}

function compareMediaType(pair: Sides<MediaType>, { direction, name }: Owner, scope: Scope): void {
  const { base, revision } = pair;
  const kind = toMediaKind(revision.name);
  if (direction === "request" && (kind === "form" || kind === "multipart")) {
    const [before, after] = [readEncoding(base), readEncoding(revision)];
    for (const field of new Set([...before.keys(), ...after.keys()])) {
      if ((before.get(field) ?? "{}") === (after.get(field) ?? "{}")) continue;
      const message = `${name} writes the field "${field}" in another way`;
      tell(
        "request-encoding-changed",
        { message, at: pair, before: before.get(field), after: after.get(field) },
        scope,
      );
    }
  }
  // Bytes are whatever they are: 3.0 and 3.1 have different words for them.
  if (kind === "binary" && toMediaKind(base.name) === "binary") return;
  compareSchemas(
    { base: readSchema(base, "schema"), revision: readSchema(revision, "schema") },
    { direction, name },
    scope,
  );
}
