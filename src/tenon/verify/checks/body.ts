import { toMediaKind } from "../../media-type.js";
import { toBodyText } from "../http/answer.js";
import { type Check, toContentType, toJson } from "./check.js";
import { findContent } from "./content-type.js";

/** Bodies of JSON and text; what other media types mean is not said in a schema. */
export const checkBody: Check = ({ draft, answer }, { responses }) => {
  const contentType = toContentType(answer);
  const { status, body } = answer;
  if (contentType === undefined || body.length === 0 || draft.operation.method === "head") return [];
  const content = findContent(draft.operation, status, contentType);
  if (content?.schema === undefined) return [];
  const check = status >= 400 ? "error-body" : "body";
  const finding = (message: string, detail: string) => [
    {
      check,
      message,
      detail: `${status} ${detail}`,
      ...(status >= 400 && { shared: true as const }),
    } as const,
  ];
  const kind = toMediaKind(contentType);
  if (kind === "text" && contentType.startsWith("text/")) {
    const fault = responses.find(content.schema, toBodyText(answer));
    return fault === undefined
      ? []
      : finding(`The body of ${status} is not valid: ${fault.message}`, fault.keyword);
  }
  if (kind !== "json") return [];
  const value = toJson(answer);
  if (value === undefined) return finding(`The body of ${status} is no JSON`, "JSON");
  const fault = responses.find(content.schema, value);
  if (fault === undefined) return [];
  // Items of a list have the same fault.
  const place = fault.at.replaceAll(/\/\d+(?=\/|$)/g, "/0");
  return finding(`The body of ${status} is not valid: ${fault.message}`, `${place} ${fault.keyword}`);
};
