import { getItems, getMember, type Located, toText } from "../document/node.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { isRange, toEssence } from "../http/media-type.js";
import { isMultipart, type PartKind, type Position, type Positions, toPartKind } from "../http/parts.js";
import { type Allowed, findAllowed } from "../parameters/allowed-types.js";
import { anything, type Schema } from "../schema/schema.js";
import { buildHeaders } from "./build-parameters.js";
import { findByteSize } from "../schema/byte-size.js";
import type { BuildContext } from "./context.js";
import type { Items, ResponseHeader } from "./content.js";
import { isBinary } from "./form-shape.js";

/** The values of the parts: those of a list, or of each item of a stream. */
export interface PartsOwner {
  /** The Media Type Object or Encoding Object with `prefixEncoding` and `itemEncoding`. */
  readonly located: Located;
  /** Completes `… of`: `the request body of POST /pets`. */
  readonly label: string;
  readonly schema: Schema;
  readonly isStream: boolean;
}

/** A part: what is declared for it, and the schema of its object. */
interface Part {
  readonly position: Position;
  readonly schema: Schema;
}

const BY_POSITION = ["prefixEncoding", "itemEncoding"] as const;

/**
 * Tests whether the parts of a multipart body have no names, so that their positions count: its schema is a list. A form has positions
 * only if the contract says so.
 */
export function hasPositions(
  { name, node, pointer }: Located & { readonly name: string },
  { schema, label }: { readonly schema: Schema | undefined; readonly label: string },
  { registry, report }: BuildContext,
): boolean {
  if (!isMultipart(name)) return false;
  const key = BY_POSITION.find((one) => getOwn(node, one) !== undefined);
  if (schema !== undefined && isList(findAllowed(schema, registry)))
    return key !== undefined || toEssence(name) !== "multipart/form-data";
  if (key !== undefined) {
    const message = `\`${key}\` of ${label} is ignored: it needs \`itemSchema\`, or a \`schema\` that is an array`;
    report("encoding-unsupported", joinPointer(pointer, key), message);
  }
  return false;
}

/**
 * Builds the parts of a multipart body without names. A part becomes an object with `value`, `mediaType` and `headers`; bytes are
 * a value that JSON Schema does not describe.
 * @see https://spec.openapis.org/oas/v3.2.0#encoding-by-position
 */
export function buildParts(owner: PartsOwner, context: BuildContext): Items {
  const { located, schema, isStream, label } = owner;
  const encodings = getItems(located, "prefixEncoding");
  const others = getMember(located, "itemEncoding");
  const list = isStream ? undefined : mergeLists(schema, label, context);
  const toPart = (index: number, declared: Schema): Part => {
    const encoding = index < encodings.length ? encodings[index] : others;
    return buildPart(declared, encoding, `part ${index + 1} of ${label}`, context);
  };
  const after = list === undefined ? schema : (list.items ?? anything(list.pointer));
  const count = Math.max(encodings.length, list?.prefixItems?.length ?? 0);
  const prefix = Array.from({ length: count }, (_, index) =>
    toPart(index, list?.prefixItems?.[index] ?? after),
  );
  const rest = after.never === true ? undefined : toPart(count, after);
  const all = [...prefix, ...(rest ? [rest] : [])].map((part) => part.schema);
  const [only = anything(schema.pointer)] = all;
  const positions: Positions = {
    ...(prefix.length > 0 && { prefix: prefix.map(({ position }) => position) }),
    ...(rest && { rest: rest.position }),
    ...(list && { whole: true }),
  };
  return {
    format: "parts",
    schema: all.length === 1 ? only : { pointer: schema.pointer, anyOf: all },
    events: [],
    parts: {
      positions,
      prefix: prefix.map((part) => part.schema),
      ...(rest && { rest: rest.schema }),
      ...(list && { whole: toList(list, prefix, rest) }),
    },
  };
}

/** The schema of the whole list, with the parts in place of their values. */
function toList(
  { pointer, description, minItems, maxItems }: Schema,
  prefix: readonly Part[],
  rest: Part | undefined,
): Schema {
  return {
    pointer,
    ...(description !== undefined && { description }),
    type: ["array"],
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(prefix.length > 0 && { prefixItems: prefix.map((part) => part.schema) }),
    items: rest?.schema ?? { pointer, never: true },
  };
}

/** Keywords that compare the items of a list with each other, or in a way that parts are not. */
const NOT_OF_PARTS = [
  "uniqueItems",
  "contains",
  "unevaluatedItems",
  "enum",
  "not",
  "if",
  "oneOf",
  "anyOf",
] as const;

/** Merges the keywords of a list, its references and the members of its `allOf`; the first one counts. */
function mergeLists(schema: Schema, label: string, { registry, report }: BuildContext): Schema {
  const parts = [...registry.parts(schema)];
  for (const part of parts)
    for (const key of NOT_OF_PARTS.filter((one) => part[one] !== undefined && part[one] !== false)) {
      const message = `\`${key}\` is not applied to the parts of ${label}`;
      report(
        "encoding-unsupported",
        joinPointer(part.pointer, key),
        message,
        "Use items, prefixItems, minItems and maxItems",
      );
    }
  return Object.assign({}, ...parts.toReversed(), { pointer: schema.pointer }) as Schema;
}

function buildPart(
  schema: Schema,
  encoding: Located | undefined,
  label: string,
  context: BuildContext,
): Part {
  const declared = (toText(encoding && getOwn(encoding.node, "contentType")) ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const usual = findUsual(schema, context);
  const mediaTypes = declared.length > 0 ? declared : [usual.mediaType];
  const headers = encoding ? buildHeaders(encoding, context) : [];
  const inner =
    mediaTypes.some(isMultipart) && encoding ? buildInner(schema, encoding, label, context) : undefined;
  const position: Position = {
    mediaTypes,
    ...(usual.as && { as: usual.as }),
    ...(headers.length > 0 && { headers: toHeaderTypes(headers, context) }),
    ...(inner?.parts && { parts: inner.parts.positions }),
  };
  const byKind = new Map<PartKind, string[]>();
  for (const name of mediaTypes) {
    const kind = toPartKind(name, position);
    byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
  }
  const size = byKind.has("binary") ? findByteSize(schema, context.registry) : undefined;
  const choices = [...byKind].map(([kind, names]) =>
    toPartSchema(schema, {
      names,
      value: toValueSchema(kind, schema, inner, context),
      headers,
      isOnly: byKind.size === 1,
    }),
  );
  const [only = schema] = choices;
  return {
    position: { ...position, ...(size && { size }) },
    schema: choices.length === 1 ? only : { pointer: schema.pointer, anyOf: choices },
  };
}

/** Builds the parts of a part. Their encoding by name is not supported. */
function buildInner(
  schema: Schema,
  encoding: Located,
  label: string,
  context: BuildContext,
): Items | undefined {
  if (isList(findAllowed(schema, context.registry)))
    return buildParts({ located: encoding, schema, isStream: false, label }, context);
  const [key] = ["encoding", ...BY_POSITION].filter((one) => getOwn(encoding.node, one) !== undefined);
  const message = `The parts in ${label} are not read, because its schema is not an array: it is bytes as a whole`;
  context.report(
    "encoding-unsupported",
    key ? joinPointer(encoding.pointer, key) : encoding.pointer,
    message,
  );
  return undefined;
}

/** The default media type of a value, and how its text is read. */
function findUsual(
  schema: Schema,
  { registry }: BuildContext,
): Pick<Position, "as"> & { readonly mediaType: string } {
  const allowed = findAllowed(schema, registry);
  const parts = [...registry.parts(schema)];
  if (allowed === undefined || parts.some(isBinary)) return { mediaType: "application/octet-stream" };
  if (allowed.array || allowed.object) return { mediaType: "application/json" };
  if (parts.some(({ contentEncoding }) => contentEncoding !== undefined))
    return { mediaType: "application/octet-stream", as: "text" };
  return { mediaType: "text/plain", ...(!allowed.plain.includes("string") && { as: "json" }) };
}

function isList(allowed: Allowed): boolean {
  return allowed?.array !== undefined && allowed.object === undefined && allowed.plain.length === 0;
}

function toHeaderTypes(
  headers: readonly ResponseHeader[],
  { registry }: BuildContext,
): Position["headers"] & object {
  return Object.fromEntries(
    headers.map(({ name, schema }) => {
      const plain = findAllowed(schema, registry)?.plain ?? ["string"];
      return [name, plain.length === 0 || plain.includes("string") ? ("text" as const) : ("json" as const)];
    }),
  );
}

/** A text that stands for an object, such as XML, is not what the schema describes. */
function toValueSchema(
  kind: PartKind,
  schema: Schema,
  inner: Items | undefined,
  { registry }: BuildContext,
): Schema {
  const { pointer } = schema;
  switch (kind) {
    case "parts":
      return inner?.parts?.whole ?? { pointer, bytes: true };
    case "binary":
      return { pointer, bytes: true };
    case "json":
      return schema;
    case "text": {
      const allowed = findAllowed(schema, registry);
      return allowed !== undefined && allowed.plain.length > 0 ? schema : { pointer, type: ["string"] };
    }
  }
}

interface PartShape {
  /** Media types and ranges of this kind. */
  readonly names: readonly string[];
  readonly value: Schema;
  readonly headers: readonly ResponseHeader[];
  /** False if the media type decides which of several kinds the part has. */
  readonly isOnly: boolean;
}

function toPartSchema({ pointer }: Schema, { names, value, headers, isOnly }: PartShape): Schema {
  const ranges = names.some(isRange);
  const [single = ""] = names;
  const isOptional = isOnly && names.length === 1 && !ranges;
  const essences = names.map(toEssence);
  const required = headers.filter((header) => header.required).map(({ name }) => name);
  const mediaType: Schema = ranges
    ? {
        pointer,
        type: ["string"],
        pattern: `^(?:${essences.map(toPattern).join("|")})$`,
        examples: essences.flatMap(toExamples),
      }
    : { pointer, enum: essences, ...(isOptional && { default: toEssence(single) }) };
  const properties = {
    value,
    mediaType,
    ...(headers.length > 0 && { headers: toHeadersSchema(pointer, headers, required) }),
  };
  return {
    pointer,
    type: ["object"],
    properties,
    required: ["value", ...(isOptional ? [] : ["mediaType"]), ...(required.length > 0 ? ["headers"] : [])],
  };
}

function toHeadersSchema(
  pointer: string,
  headers: readonly ResponseHeader[],
  required: readonly string[],
): Schema {
  return {
    pointer,
    type: ["object"],
    properties: Object.fromEntries(headers.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

function toExamples(essence: string): readonly string[] {
  return isRange(essence) ? (essence === "image/*" ? ["image/png"] : []) : [essence];
}

/** `image/*` becomes a pattern of its media types, in lower case. */
function toPattern(essence: string): string {
  return essence.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[a-z0-9][a-z0-9!#$&^_.+-]*");
}
