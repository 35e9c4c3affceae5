import { toMediaKind } from "../media-type.js";
import { type ContractDocument, dereference, hasSchema, type MediaTypeObject } from "./contract-document.js";
import type { OperationDescriptor } from "./operation.js";

/**
 * Finds the media types of a request body that a schema can judge: not bytes, and not text under a schema of something
 * else, such as the object that an XML document stands for.
 */
export function findValidated(
  { requestBody }: OperationDescriptor,
  content: Readonly<Record<string, MediaTypeObject | undefined>>,
  document: ContractDocument,
): readonly (readonly [name: string, mediaType: MediaTypeObject])[] {
  return (requestBody?.mediaTypes ?? []).flatMap((name) => {
    const mediaType = content[name];
    return mediaType !== undefined &&
      hasSchema(mediaType) &&
      isValidated(name, dereference(document, mediaType.schema))
      ? [[name, mediaType] as const]
      : [];
  });
}

function isValidated(name: string, schema: unknown): boolean {
  const kind = toMediaKind(name);
  if (kind !== "text") return kind !== "binary";
  const { type = "string" } = schema as { readonly type?: string | readonly string[] };
  return [type].flat().includes("string");
}
