import { toMediaKind } from "../media-type.js";
import type { EnforcedContent, EnforcedSchema } from "./enforced-contract.js";
import type { OperationDescriptor } from "./operation.js";

/**
 * Finds the schemas of a request body, by media type, that can judge it: not of bytes, and not of text that stands for
 * something else, such as the object that an XML document describes.
 */
export function findValidated(
  { requestBody }: OperationDescriptor,
  content: EnforcedContent,
): readonly (readonly [name: string, schema: object | boolean])[] {
  return (requestBody?.mediaTypes ?? []).flatMap((name) => {
    const declared = content.get(name);
    return declared !== undefined && isValidated(name, declared) ? [[name, declared.schema] as const] : [];
  });
}

function isValidated(name: string, { types }: EnforcedSchema): boolean {
  const kind = toMediaKind(name);
  if (kind !== "text") return kind !== "binary";
  return types.length === 0 || types.includes("string");
}
