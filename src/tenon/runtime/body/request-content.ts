import { type MediaKind, toMediaKind } from "../../core/http/media-type.js";
import type { EnforcedContent, EnforcedSchema } from "../validation/enforced-contract.js";
import type { FormDescriptor, OperationDescriptor, RequestBodyDescriptor } from "../operation.js";

/** How a body of one of the declared media types is read. */
export function toBodyKind({ forms }: RequestBodyDescriptor, mediaType: string): MediaKind {
  const form = forms?.[mediaType];
  return typeof form === "string" ? form : toMediaKind(mediaType);
}

/** The fields of a body that is a form, and read as one. */
export function findForm(
  { requestBody }: OperationDescriptor,
  mediaType: string | undefined,
): FormDescriptor | undefined {
  const form = mediaType === undefined ? undefined : requestBody?.forms?.[mediaType];
  return typeof form === "string" ? undefined : form;
}

/**
 * Finds the schemas of a request body, by media type, that can judge it: not of bytes, and not of text that stands for
 * something else, such as the object that an XML document describes.
 */
export function findValidated(
  { requestBody }: OperationDescriptor,
  content: EnforcedContent,
): readonly (readonly [name: string, schema: object | boolean])[] {
  if (requestBody === undefined) return [];
  return requestBody.mediaTypes.flatMap((name) => {
    const declared = content.get(name);
    const isJudged = declared !== undefined && canJudge(toBodyKind(requestBody, name), declared);
    return isJudged ? [[name, declared.schema] as const] : [];
  });
}

function canJudge(kind: MediaKind, { types }: EnforcedSchema): boolean {
  if (kind !== "text") return kind !== "binary";
  return types.length === 0 || types.includes("string");
}
