import { findMediaType, findResponse, toMediaKind } from "tenon/core/http";
import type { MediaType, Operation } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import { toBodyText, toContentType, toJson } from "../messages/index.js";
import type { Check, Exchange } from "./finding.js";

/** A body and its schema. */
export interface DescribedBody {
  readonly schema: Schema;
  /** Undefined where JSON is declared and the body is not JSON. */
  readonly value: unknown;
}

/**
 * Reads a response's body for validation: JSON and text. A schema says nothing about other media types.
 * @returns undefined when there is nothing to validate.
 */
export function readBody({ testCase: { operation }, response }: Exchange): DescribedBody | undefined {
  const contentType = toContentType(response);
  const { status, body } = response;
  if (contentType === undefined || body.length === 0 || operation.method === "head") return undefined;
  const schema = findContent(operation, status, contentType)?.schema;
  if (schema === undefined) return undefined;
  const kind = toMediaKind(contentType);
  if (kind === "json") return { schema, value: toJson(response) };
  return kind === "text" && contentType.startsWith("text/")
    ? { schema, value: toBodyText(response) }
    : undefined;
}

export const checkBody: Check = (exchange, { responses }) => {
  const body = readBody(exchange);
  const { status } = exchange.response;
  if (body === undefined) return [];
  const kind =
    status >= 400 ? ({ check: "error-body", shared: true } as const) : ({ check: "body" } as const);
  const report = (message: string, detail: string) => [{ ...kind, message, detail: `${status} ${detail}` }];
  if (body.value === undefined) return report(`The body of ${status} is not JSON`, "JSON");
  const violation = responses.find(body.schema, body.value);
  if (violation === undefined) return [];
  // Items of a list have the same violation.
  const place = violation.at.replaceAll(/\/\d+(?=\/|$)/g, "/0");
  const detail = [place, violation.keyword].filter((part) => part !== "").join(" ");
  return report(`The body of ${status} is not valid: ${violation.message}`, detail);
};

export const checkContentType: Check = ({ testCase: { operation }, response }) => {
  const { status, body } = response;
  const found = findResponse(operation.responses, status);
  if (found === undefined || operation.method === "head") return [];
  const declared = found.mediaTypes.map(({ name }) => name);
  const report = (message: string, detail: string) => [
    { check: "content-type", message, detail: `${status} ${detail}` } as const,
  ];
  // A redirect may have a text for people.
  if (declared.length === 0) {
    if (body.length === 0 || (status >= 300 && status < 400)) return [];
    return report(`Status ${status} has a body, and the contract declares none`, "body");
  }
  if (status === 204 || status === 304) return [];
  if (body.length === 0) {
    if (!declared.some((mediaType) => mediaType.includes("json"))) return [];
    return report(`Status ${status} has no body; the contract declares ${declared.join(", ")}`, "empty");
  }
  const contentType = toContentType(response);
  if (contentType === undefined) return report(`Status ${status} has no Content-Type`, "absent");
  if (findContent(operation, status, contentType) !== undefined) return [];
  const message = `The Content-Type of ${status} is ${contentType}; the contract declares ${declared.join(", ")}`;
  return report(message, contentType);
};

function findContent({ responses }: Operation, status: number, contentType: string): MediaType | undefined {
  return findMediaType(findResponse(responses, status)?.mediaTypes ?? [], contentType);
}
