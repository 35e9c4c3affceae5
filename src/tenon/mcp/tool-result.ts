import type { CallToolResult } from "@modelcontextprotocol/server";
import { parseItems } from "../core/http/item-parser.js";
import { toEssence, toMediaKind } from "../core/http/media-type.js";
import type { Items } from "../core/model/index.js";
import type { Violation } from "../runtime/errors/http-error.js";
import { findNextPage, type SentCall } from "./next-page.js";
import type { Tool } from "./tools.js";
import { findDeclared } from "./watch-items.js";

/** A response of HTTP. */
export interface ToolResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** True if the response went on after its body was as long as is read. */
  readonly isCut: boolean;
}

/** A place of a request that the contract does not allow, and the argument that it came from. */
export interface ArgumentProblem {
  readonly argument: string;
  readonly text: string;
}

export interface ResultOptions {
  readonly sent: SentCall;
  /** Characters of text that a result may have. */
  readonly maxText: number;
  /** Number of the part of a long response, from 1. */
  readonly part: number;
  readonly problems?: readonly ArgumentProblem[];
  /** Mismatches between the response and the contract. */
  readonly mismatches?: readonly string[];
}

/** Says which argument to change. */
export function explainProblem({ argument, text }: ArgumentProblem): string {
  return `Change the argument "${argument}": it ${text}.`;
}

/** Creates a result from an error before there was a response. */
export function toFailure(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Converts a response into the result of a tool. */
export function toResult(tool: Tool, response: ToolResponse, options: ResultOptions): CallToolResult {
  const { status, headers, body } = response;
  const mediaType = headers.get("content-type") ?? "";
  const isError = status >= 400;
  const { mismatches = [] } = options;
  const value = readValue(tool, response, mediaType);
  const file =
    value instanceof Uint8Array && !isError && !response.isCut ? toFile(value, headers) : undefined;
  const shown = choosePart(value instanceof Uint8Array ? undefined : value, options);
  const next = isError ? undefined : findNextPage(tool, headers, options.sent);
  const isCut = shown.parts > 1;
  const more = `This is part ${options.part} of ${shown.parts}.${
    options.part < shown.parts && hasParts(tool)
      ? ` For the next one, call again with the same arguments and "${PART}": ${options.part + 1}.`
      : ""
  }`;
  const lines = [
    isError ? `The service responded with ${status}.` : body.length === 0 ? `Done (${status}).` : "",
    value instanceof Uint8Array && file === undefined ? `The body is of the type ${mediaType}.` : "",
    ...(options.problems ?? []).map(explainProblem),
    shown.text,
    isCut ? more : "",
    response.isCut ? "The response was longer than is read; the rest is left out." : "",
    next === undefined ? "" : `There are more: call again with ${JSON.stringify(next)}.`,
    toRetryHint(headers, status),
    ...mismatches.map((text) => `The response is not as the contract declares: ${text}.`),
  ];
  const text = lines.filter((line) => line !== "").join("\n");
  return {
    content: [...(file ? [file] : []), ...(file === undefined || text !== "" ? [toText(text)] : [])],
    structuredContent: {
      status,
      // The output schema is that of the contract.
      ...(shown.value !== undefined &&
        mismatches.length === 0 && { [isError ? "error" : "body"]: shown.value }),
      ...(next && { next }),
      ...(isCut && hasParts(tool) && { part: options.part, parts: shown.parts }),
    },
    ...(isError && { isError }),
  };
}

/** Name of the argument that chooses a part of a long response. */
export const PART = "response_part";

export function hasParts({ inputSchema }: Tool): boolean {
  return Object.hasOwn(inputSchema.properties, PART);
}

/** @returns bytes for a body that is neither JSON nor text. */
function readValue(tool: Tool, { status, body, isCut }: ToolResponse, mediaType: string): unknown {
  if (body.length === 0) return undefined;
  const declared = findDeclared(tool, status, mediaType);
  const kind = toMediaKind(mediaType);
  const text = () => new TextDecoder().decode(body);
  if (declared?.items !== undefined) return readItems(text(), declared.items, isCut);
  if (kind === "json") return parse(text());
  return kind === "binary" ? body : text();
}

/** Reads the items of a stream, of one that was cut those that arrived whole. */
function readItems(text: string, { format, events }: Items, isCut: boolean): unknown {
  const end = format === "events" ? "\n\n" : format === "records" ? "\u001E" : "\n";
  const whole = isCut
    ? text.slice(0, Math.max(0, text.lastIndexOf(end)) + (format === "records" ? 0 : end.length))
    : text;
  try {
    return parseItems(whole, format, events);
  } catch {
    return text;
  }
}

interface Shown {
  /** For programs; undefined where it would not be as declared. */
  readonly value: unknown;
  readonly text: string;
  /** Number of parts that the whole has. */
  readonly parts: number;
}

/** Divides a value: a list by items, and what else is too long by its text. */
function choosePart(value: unknown, { maxText, part }: ResultOptions): Shown {
  if (value === undefined) return { value, text: "", parts: 1 };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= maxText) return { value, text, parts: 1 };
  const groups = Array.isArray(value) ? groupItems(value, maxText) : undefined;
  if (groups !== undefined) {
    const own = groups[part - 1] ?? [];
    return { value: own, text: JSON.stringify(own), parts: groups.length };
  }
  const cut = text.slice((part - 1) * maxText, part * maxText);
  return { value: undefined, text: cut, parts: Math.ceil(text.length / maxText) };
}

/** @returns undefined if one item alone is too long. */
function groupItems(items: readonly unknown[], maxText: number): readonly (readonly unknown[])[] | undefined {
  const groups: unknown[][] = [];
  let length = Infinity;
  for (const item of items) {
    const own = JSON.stringify(item).length + 1;
    if (own > maxText) return undefined;
    if (length + own > maxText) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(item);
    length += own;
  }
  return groups;
}

function toRetryHint(headers: Headers, status: number): string {
  const seconds = headers.get("retry-after");
  return seconds !== null && (status === 429 || status === 503) ? `Try again after ${seconds} s.` : "";
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? value : text;
  } catch {
    return text;
  }
}

/** Levels of nesting of a structured result. */
const MAX_DEPTH = 100;

/** Tests whether a value can be written: `JSON.stringify` is recursive, and deep nesting would overflow its stack. */
function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : [],
    );
    if (level.length === 0) return true;
  }
  return false;
}

type Content = CallToolResult["content"][number];

function toText(text: string): Content {
  return { type: "text", text };
}

/** Images and sounds have kinds of their own; other files are resources, with the name that the service gives them. */
function toFile(body: Uint8Array, headers: Headers): Content {
  const data = Buffer.from(body).toString("base64");
  const mimeType = toEssence(headers.get("content-type") ?? "application/octet-stream");
  const [kind] = mimeType.split("/");
  if (kind === "image" || kind === "audio") return { type: kind, data, mimeType };
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"([^"\\]*)"|([^\s;"]+))/i.exec(headers.get("content-disposition") ?? "") ?? [];
  const uri = `tool:response${toPath(quoted ?? plain)}`;
  return { type: "resource", resource: { uri, mimeType, blob: data } };
}

function toPath(fileName = ""): string {
  return fileName === "" ? "" : `/${encodeURIComponent(fileName)}`;
}

/** Finds the arguments that became the places of a request that are not allowed. */
export function toProblems(
  { arguments: known }: Tool,
  violations: readonly Violation[],
): readonly ArgumentProblem[] {
  return violations.map(({ in: place, path, text }) => {
    const [first = "", ...rest] = path;
    const isBody = place === "body";
    const argument = known.find((one) =>
      isBody
        ? one.in === "body" || (one.in === "member" && one.target === first)
        : one.in === place && one.target === first,
    );
    const inner = isBody && argument?.in === "body" ? path : rest;
    return { argument: [argument?.name ?? first, ...inner].join("."), text };
  });
}
