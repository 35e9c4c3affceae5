import {
  findMediaType,
  findResponse,
  isPart,
  parseItems,
  type PartValue,
  readParts,
  toMediaKind,
} from "tenon/core/http";
import { type Items, type MediaType, type Operation, type Parts, toItemList } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import {
  type JsonReading,
  readJson,
  type ServiceResponse,
  toBodyText,
  toContentType,
  toReading,
} from "../messages/index.js";
import type { DeclarationCheck } from "./finding.js";
import { findUndeclared } from "./undeclared.js";

/** A body and its schema. */
export type DescribedBody = JsonReading & { readonly schema: Schema };

/**
 * Reads a response's body for validation: JSON and text. A schema says nothing about other media types.
 * @returns undefined when there is nothing to validate.
 */
export function readBody({
  testCase: { operation },
  response,
}: Parameters<DeclarationCheck>[0]): DescribedBody | undefined {
  const contentType = toContentType(response);
  const { status, body } = response;
  if (contentType === undefined || body.length === 0 || operation.method === "head") return undefined;
  const mediaType = findContent(operation, status, contentType);
  const schema = mediaType && findWholeSchema(mediaType);
  if (schema === undefined) return undefined;
  if (mediaType?.items) return { schema, ...readItems(response, mediaType.items) };
  const kind = toMediaKind(contentType);
  if (kind === "json") return { schema, ...readJson(toBodyText(response)) };
  return kind === "text" && contentType.startsWith("text/")
    ? { schema, value: toBodyText(response) }
    : undefined;
}

function readItems(
  response: Parameters<DeclarationCheck>[0]["response"],
  { format, events, parts }: Items,
): JsonReading {
  if (parts !== undefined) return readAllParts(response, parts);
  const text = toBodyText(response);
  if (format === "events" && endsWithinEvent(text)) return { problem: "ends within an event" };
  try {
    return toReading(parseItems(text, format, events));
  } catch {
    return { problem: "has an item that is not JSON" };
  }
}

function readAllParts({ body, headers }: ServiceResponse, { positions }: Parts): JsonReading {
  try {
    return { value: withoutBytes(readParts(body, String(headers["content-type"]), positions)) };
  } catch (error) {
    return { problem: `cannot be read: ${(error as Error).message}` };
  }
}

/** Validators only know JSON; bytes are valid anyway. */
function withoutBytes(parts: readonly PartValue[]): readonly PartValue[] {
  return parts.map((part) => {
    const { value } = part;
    if (value instanceof Uint8Array) return { ...part, value: "" };
    return Array.isArray(value) && value.every(isPart) ? { ...part, value: withoutBytes(value) } : part;
  });
}

/** Clients ignore an event without its blank line, so the stream would seem complete. */
function endsWithinEvent(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/);
  const rest = lines.pop() ?? "";
  return [...lines.slice(lines.lastIndexOf("") + 1), rest].some(
    (line) => line !== "" && !line.startsWith(":"),
  );
}

/** Finds the schema of a whole body: of items, a list of them. */
export function findWholeSchema({ schema, items }: Pick<MediaType, "schema" | "items">): Schema | undefined {
  return items === undefined ? schema : toItemList(items);
}

export const checkBody: DeclarationCheck = (exchange, { responses }) => {
  const body = readBody(exchange);
  const { status } = exchange.response;
  if (body === undefined) return [];
  const kind = { check: status >= 400 ? "error-body" : "body", shared: true } as const;
  if (body.problem !== undefined)
    return [
      {
        ...kind,
        message: `The body of ${status} ${body.problem}`,
        detail: body.problem,
        place: String(status),
      },
    ];
  const violation = responses.find(body.schema, body.value);
  if (violation === undefined) return [];
  const { cause, keyword, names } = violation;
  return [
    {
      ...kind,
      message: `The body of ${status} is not valid: ${violation.message}`,
      detail: cause,
      place: toPlace(status, violation.at),
      consequenceOf: names.flatMap((name) => [`${keyword} ${name}`, `type ${name}`]),
    },
  ];
};

/** Items of a list have the same problem: `200/0/name`. */
function toPlace(status: number, at: string): string {
  return `${status}${at.replaceAll(/\/\d+(?=\/|$)/g, "/0")}`;
}

/**
 * Objects have no members but those that their schema declares, so that a service does not send a column that was added to a table.
 * `additionalProperties` of the author's allows others, and errors may have any.
 */
export const checkUndeclared: DeclarationCheck = (exchange, { responses }) => {
  const body = readBody(exchange);
  const { status } = exchange.response;
  if (body?.value === undefined || status >= 400) return [];
  return [...findUndeclared(body.schema, body.value, responses)]
    .slice(0, 1)
    .map(({ names, at, pointer }) => ({
      check: "undeclared",
      message: `The body of ${status} has ${names.map((name) => JSON.stringify(name)).join(", ")}${at === "" ? "" : ` at ${at}`}, which its schema does not declare`,
      detail: pointer,
      place: toPlace(status, at),
      shared: true,
    }));
};

export const checkContentType: DeclarationCheck = ({ testCase: { operation }, response }) => {
  const { status, body } = response;
  const found = findResponse(operation.responses, status);
  if (found === undefined || operation.method === "head") return [];
  const declared = found.mediaTypes.map(({ name }) => name);
  const report = (message: string, detail: string) => [
    { check: "content-type", message, detail, place: String(status), shared: true } as const,
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
