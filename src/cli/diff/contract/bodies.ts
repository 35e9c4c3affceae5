import { coversEssence, isRange, toEssence, toMediaKind } from "tenon/core/http";
import { isBinary, type MediaType, type Operation, type Response, toItemList } from "tenon/core/model";
import { isAnything, type Schema } from "tenon/core/schema";
import type { Sides } from "../sides.js";
import { derive } from "./derive.js";
import { compareEncodings } from "./encodings.js";
import { compareSchemas, type Owner, toLowerStart } from "./schemas.js";
import { compareRequired, reportChange, type Scope } from "./scope.js";
import { FIELD, TEXT, type Texts } from "./texts.js";

/** Compares request bodies. */
export function compareRequestBodies(operations: Sides<Operation>, scope: Scope): void {
  const base = operations.base.requestBody;
  const revision = operations.revision.requestBody;
  if (base && revision) {
    const name = "The request body";
    compareRequired({ base, revision }, { name, kind: "request-body" }, scope);
    compareContent({ base, revision }, { direction: "request", name }, scope);
  } else if (revision) {
    const { required } = revision;
    const code = required ? "request-required-body-added" : "request-body-added";
    const message = `The ${required ? "required" : "optional"} request body is new`;
    reportChange(code, { message, at: { revision } }, scope);
  } else if (base) {
    reportChange("request-body-removed", { message: "The request body was removed", at: { base } }, scope);
  }
}

/** Compares bodies by media type. A media type that the other contract only has as a range is compared with the range. */
export function compareContent(
  owners: Sides<Pick<Response, "mediaTypes">>,
  owner: Owner,
  scope: Scope,
): void {
  const [base, revision] = [owners.base.mediaTypes, owners.revision.mediaTypes];
  const isRequest = owner.direction === "request";
  for (const one of base) {
    const other = findSame(one, revision) ?? findCovering(one, revision);
    if (other !== undefined) {
      compareMediaType({ base: one, revision: other }, owner, scope);
      continue;
    }
    const narrowed = revision.some(({ name }) => covers(one.name, name));
    const code = isRequest
      ? "request-media-type-removed"
      : narrowed
        ? "response-media-type-narrowed"
        : "response-media-type-removed";
    const message = `${owner.name} can no longer be ${narrowed ? "any " : ""}${one.name}`;
    reportChange(code, { message, at: { base: one }, before: one.name }, scope);
  }
  for (const one of revision) {
    if (findSame(one, base) !== undefined) continue;
    const covering = findCovering(one, base);
    if (covering !== undefined) {
      // Reported above where one of its media types replaced a range.
      compareMediaType({ base: covering, revision: one }, owner, scope);
      continue;
    }
    const widened = base.some(({ name }) => covers(one.name, name));
    const code = isRequest
      ? "request-media-type-added"
      : widened
        ? "response-media-type-widened"
        : "response-media-type-added";
    const message = `${owner.name} can be ${one.name}`;
    reportChange(code, { message, at: { revision: one }, after: one.name }, scope);
  }
}

function findSame(one: MediaType, others: readonly MediaType[]): MediaType | undefined {
  const wanted = toName(one.name);
  return others.find(({ name }) => toName(name) === wanted);
}

/** `Text/CSV; Header=present` and `text/csv;header=present` are one. `charset=utf-8` is the default of JSON. */
function toName(mediaType: string): string {
  const [, ...parameters] = mediaType.toLowerCase().replace(/\s+/g, "").split(";");
  const details = parameters.filter((parameter) => parameter !== "charset=utf-8").sort();
  return [toEssence(mediaType), ...details].join(";");
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

function compareMediaType(at: Sides<MediaType>, owner: Owner, scope: Scope): void {
  compareEncodings(at, owner, scope);
  if (at.base.items ?? at.revision.items) {
    // The items of one side are described further than its whole body.
    if (at.base.items?.parts ?? at.revision.items?.parts) {
      const toWhole = ({ items, schema }: MediaType) =>
        items ? { schema: derive(items, "list", () => toItemList(items)) } : schema ? { schema } : {};
      compareSchemas({ base: toWhole(at.base), revision: toWhole(at.revision) }, owner, scope);
      return;
    }
    const items = { base: at.base.items ?? {}, revision: at.revision.items ?? {} };
    compareSchemas(items, { ...owner, name: `Each item of ${toLowerStart(owner.name)}` }, scope);
    return;
  }
  const isBytes = toMediaKind(at.revision.name) === "binary" && toMediaKind(at.base.name) === "binary";
  compareSchemas(isBytes ? withoutFormats(at, scope) : at, { ...owner, texts: findTexts(at) }, scope);
}

/** Finds the values of a body that are sent as texts: the fields of a form, or all of a plain text. */
function findTexts({ base, revision }: Sides<MediaType>): Texts | undefined {
  const kind = toMediaKind(base.name);
  if (kind !== toMediaKind(revision.name)) return undefined;
  if (kind === "text") return { base: {}, revision: {}, paths: TEXT };
  if (kind !== "form" && kind !== "multipart") return undefined;
  const except = new Set([...base.encoding, ...revision.encoding].map(({ name }) => name));
  return { base: EXPLODED, revision: EXPLODED, paths: FIELD, except };
}

/** The default of fields of forms. */
const EXPLODED = { style: "form", explode: true } as const;

/** OpenAPI 3.0 and 3.1 describe bytes differently, and 3.1 needs no schema for them. The other keywords of bytes are compared. */
function withoutFormats(at: Sides<MediaType>, { contracts }: Scope): Sides<{ readonly schema?: Schema }> {
  const schemas = (["base", "revision"] as const).map((side) => {
    const { schema = { pointer: at[side].pointer } } = at[side];
    return contracts[side].registry.resolve(schema);
  });
  const areBytes = schemas.every((schema) => isBinary(schema) || isAnything(schema));
  const ignored = ["format", "contentMediaType", "contentEncoding", ...(areBytes ? ["type"] : [])];
  const strip = (schema: Schema, side: keyof Sides<unknown>): Schema => {
    const { allOf, ...others } = contracts[side].registry.resolve(schema);
    const kept = Object.entries(others).filter(
      ([keyword]) => !isBinary(others) || !ignored.includes(keyword),
    );
    const parts = allOf?.map((part) => strip(part, side));
    return { ...(Object.fromEntries(kept) as unknown as Schema), ...(parts && { allOf: parts }) };
  };
  const [base, revision] = schemas;
  const name = `bytes ${areBytes}`;
  return {
    base: base ? { schema: derive(base, name, () => strip(base, "base")) } : at.base,
    revision: revision ? { schema: derive(revision, name, () => strip(revision, "revision")) } : at.revision,
  };
}
