import { isRange, toMediaKind } from "../media-type.js";
import type { ClientOperation } from "./contract.js";

type RequestBody = NonNullable<RequestInit["body"]>;

export interface WrittenBody {
  readonly body: RequestBody | undefined;
  /** Undefined when there is no body, and when `fetch` knows better: a multipart form's has a boundary. */
  readonly contentType: string | undefined;
}

/**
 * Writes a request body in one of the operation's media types.
 * @param chosen The media type that the caller wants. Default: JSON where it is declared, else the first.
 */
export function writeBody(
  value: unknown,
  chosen: string | undefined,
  { mediaTypes = ["application/json"], fields = {} }: Pick<ClientOperation, "mediaTypes" | "fields">,
): WrittenBody {
  if (value === undefined) return { body: undefined, contentType: undefined };
  const json = "application/json";
  const mediaType = chosen ?? (mediaTypes.includes(json) ? json : mediaTypes[0]) ?? json;
  if (isRange(mediaType)) throw new TypeError(`Choose a media type for the body: ${mediaType} is a range`);
  const kind = toMediaKind(mediaType);
  if (kind === "multipart") return { body: toFormData(value, fields), contentType: undefined };
  if (kind === "form") return { body: toUrlEncoded(value, fields), contentType: mediaType };
  const body = kind === "json" ? JSON.stringify(value) : (value as RequestBody);
  return { body, contentType: mediaType };
}

function toUrlEncoded(value: unknown, fields: Readonly<Record<string, string>>): string {
  if (value instanceof URLSearchParams) return value.toString();
  const form = new URLSearchParams();
  for (const [name, item] of toFields(value, fields)) form.append(name, toFieldText(item));
  return form.toString();
}

function toFormData(value: unknown, fields: Readonly<Record<string, string>>): FormData {
  if (value instanceof FormData) return value;
  const form = new FormData();
  for (const [name, item] of toFields(value, fields)) {
    if (item instanceof Blob) form.append(name, item);
    else if (item instanceof ArrayBuffer || ArrayBuffer.isView(item))
      form.append(name, new Blob([item as ArrayBuffer]));
    else form.append(name, toFieldText(item));
  }
  return form;
}

/** Each item of an array is a field of its own, unless something is to stand between them in one. */
function toFields(
  value: unknown,
  fields: Readonly<Record<string, string>>,
): readonly (readonly [name: string, item: unknown])[] {
  return Object.entries(value as object).flatMap(([name, member]: [string, unknown]) => {
    if (member === undefined) return [];
    if (!Array.isArray(member)) return [[name, member] as const];
    const delimiter = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (delimiter === undefined) return member.map((item: unknown) => [name, item] as const);
    const texts = member.map(toFieldText);
    if (texts.some((text) => text.includes(delimiter)))
      throw new TypeError(`Cannot send the field "${name}": an item cannot have "${delimiter}" in it`);
    return [[name, texts.join(delimiter)] as const];
  });
}

/** An object is JSON, as the default of OpenAPI's encoding says. */
function toFieldText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
