import { coversEssence, toEssence } from "tenon/core/http/media-type";
import { findResponse, type TargetContent, type TargetOperation } from "../target.js";
import { type Check, toContentType } from "./check.js";

export const checkContentType: Check = ({ draft, answer }) => {
  const { status, body } = answer;
  const response = findResponse(draft.operation, status);
  if (response === undefined || draft.operation.method === "head") return [];
  const declared = response.content.map(({ mediaType }) => mediaType);
  const finding = (message: string, detail: string) => [
    { check: "content-type", message, detail: `${status} ${detail}` } as const,
  ];
  // A redirect's text for people is no content of the contract's.
  if (declared.length === 0) {
    if (body.length === 0 || (status >= 300 && status < 400)) return [];
    return finding(`Status ${status} has a body, and the contract declares none`, "body");
  }
  if (status === 204 || status === 304) return [];
  const found = toContentType(answer);
  if (body.length === 0) {
    const isNothing = declared.every((mediaType) => !mediaType.includes("json"));
    return isNothing
      ? []
      : finding(`Status ${status} has no body; the contract declares ${declared.join(", ")}`, "empty");
  }
  if (found === undefined) return finding(`Status ${status} has no Content-Type`, "absent");
  if (findContent(draft.operation, status, found) !== undefined) return [];
  return finding(`Status ${status} is of ${found}; the contract declares ${declared.join(", ")}`, found);
};

/** The declared content of a status that covers a content type; the exact one before ranges. */
export function findContent(
  operation: TargetOperation,
  status: number,
  contentType: string,
): TargetContent | undefined {
  const content = findResponse(operation, status)?.content ?? [];
  return (
    content.find(({ mediaType }) => toEssence(mediaType) === contentType) ??
    content.find(({ mediaType }) => coversEssence(toEssence(mediaType), contentType))
  );
}
