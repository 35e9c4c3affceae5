import { getValue } from "tenon/core/document";
import { toMediaKind } from "tenon/core/http";
import type { MediaType, Response } from "tenon/core/model";
import type { Schema, SchemaRegistry } from "tenon/core/schema";

/** The value by which a program recognizes an error, and its meaning where the contract has it. */
export interface ErrorCode {
  readonly code: string;
  readonly meaning?: string | undefined;
}

/**
 * Lists the codes of an error's body that its description does not name: those of its examples, else the values that the schema allows.
 * A code is the member `code` or `error.code`, in problem details (RFC 9457) `type`, too.
 */
export function listErrorCodes(
  { status, description = "", mediaTypes }: Response,
  registry: SchemaRegistry,
): readonly ErrorCode[] {
  if (!/^[45]|^default$/.test(status)) return [];
  const found = mediaTypes.flatMap((mediaType) => readCodes(mediaType, registry));
  const codes = [...new Map(found.map((one) => [one.code, one])).values()];
  return codes.every(({ code }) => description.includes(code)) ? [] : codes;
}

/** Paths of codes in a body. */
const PATHS = [["code"], ["error", "code"]];
const PROBLEM_PATHS = [["type"], ...PATHS];

/** A longer list has all codes of a service, which does not describe one response. */
const MAX_VALUES = 8;

function readCodes(mediaType: MediaType, registry: SchemaRegistry): readonly ErrorCode[] {
  if (toMediaKind(mediaType.name) !== "json") return [];
  const paths = mediaType.name.includes("problem+json") ? PROBLEM_PATHS : PATHS;
  return paths.flatMap((path) => readAt(path, mediaType, registry));
}

function readAt(
  path: readonly string[],
  { schema: body, examples }: MediaType,
  registry: SchemaRegistry,
): readonly ErrorCode[] {
  const start = body === undefined ? [] : [...registry.parts(body)];
  const schemas = path.reduce<readonly Schema[]>(
    (parts, name) => parts.flatMap((part) => findProperty(part, name, registry)),
    start,
  );
  const meanings = schemas.find(({ enumDescriptions }) => enumDescriptions)?.enumDescriptions ?? {};
  const toCodes = (value: unknown, meaning?: string): readonly ErrorCode[] => {
    if (typeof value !== "string" && typeof value !== "number") return [];
    const code = String(value);
    return [{ code, meaning: Object.hasOwn(meanings, code) ? meanings[code] : meaning }];
  };
  const given = examples.flatMap(({ value, summary, description }) =>
    toCodes(path.reduce<unknown>(getValue, value), description ?? summary),
  );
  if (given.length > 0) return given;
  const values = schemas.find((schema) => schema.enum)?.enum ?? [];
  return values.length > MAX_VALUES ? [] : values.flatMap((value) => toCodes(value));
}

function findProperty({ properties = {} }: Schema, name: string, registry: SchemaRegistry) {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return property === undefined ? [] : [...registry.parts(property)];
}
