import { toMediaKind } from "tenon/core/http/media-type";
import { toBodyText } from "../http/answer.js";
import { type Check, type Exchange, toContentType, toJson } from "./check.js";
import { findContent } from "./content-type.js";

/** A body and the schema that it has to be of. */
export interface JudgedBody {
  /** Key in the responses' book. */
  readonly schema: string;
  /** Undefined where JSON is declared and the body is none. */
  readonly value: unknown;
}

/**
 * What of an answer's body can be judged: JSON and text; what other media types mean is not said in a schema.
 * @returns undefined where there is nothing to judge.
 */
export function readBody({ draft, answer }: Exchange): JudgedBody | undefined {
  const contentType = toContentType(answer);
  const { status, body } = answer;
  if (contentType === undefined || body.length === 0 || draft.operation.method === "head") return undefined;
  const schema = findContent(draft.operation, status, contentType)?.schema;
  if (schema === undefined) return undefined;
  const kind = toMediaKind(contentType);
  if (kind === "json") return { schema, value: toJson(answer) };
  return kind === "text" && contentType.startsWith("text/")
    ? { schema, value: toBodyText(answer) }
    : undefined;
}

export const checkBody: Check = (exchange, { responses }) => {
  const body = readBody(exchange);
  const { status } = exchange.answer;
  if (body === undefined) return [];
  const finding = (message: string, detail: string) => [
    {
      check: status >= 400 ? "error-body" : "body",
      message,
      detail: `${status} ${detail}`,
      ...(status >= 400 && { shared: true as const }),
    } as const,
  ];
  if (body.value === undefined) return finding(`The body of ${status} is no JSON`, "JSON");
  const fault = responses.find(body.schema, body.value);
  if (fault === undefined) return [];
  // Items of a list have the same fault.
  const place = fault.at.replaceAll(/\/\d+(?=\/|$)/g, "/0");
  const detail = [place, fault.keyword].filter((part) => part !== "").join(" ");
  return finding(`The body of ${status} is not valid: ${fault.message}`, detail);
};
