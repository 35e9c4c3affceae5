import type { Operation, OutgoingRequest } from "tenon/core/model";

/** Ids of the parts of a site. They are those that Redoc's links had: `#operation/listPets`, `#tag/pets`. */
export const toOperationId = ({ id }: Pick<Operation, "id">): string => `operation/${toIdPart(id)}`;
export const toTagId = (name: string): string => `tag/${toIdPart(name)}`;
export const toSchemaId = (name: string): string => `schema/${toIdPart(name)}`;
export const toOutgoingId = ({ name, method }: OutgoingRequest, owner?: string): string =>
  [owner ?? "webhook", toIdPart(name), method].join("/");

/** @param headings A heading's text, after those of the headings above it. */
export const toSectionId = (headings: readonly string[]): string =>
  ["section", ...headings.map((text) => toIdPart(text.trim()))].join("/");

/** An id has no white space; other characters may be anything that a file can have. */
export function toIdPart(text: string): string {
  return text.replaceAll(/\s+/g, "-").toWellFormed();
}

/** Encodes an id as the fragment of an address. Browsers decode it. */
export function toFragment(id: string): string {
  return `#${encodeURI(id).replaceAll("#", "%23")}`;
}

/** Decodes a fragment, without its `#`. One that is malformed stays as it is. */
export function fromFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
