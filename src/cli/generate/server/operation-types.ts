import { type Operation, type Response, type ResponseHeader, toOperationLabel } from "tenon/core/model";
import { findNegotiated } from "tenon/core/http";
import { emitItemType, emitReplyContent, emitRequestBody, hasItems } from "./media-type-types.js";
import { emitOutgoing } from "./outgoing.js";
import { emitParameters, REQUEST_MEMBERS } from "./parameter-types.js";
import { type Context, emitType } from "./schema-type.js";
import { emitComment, emitKey, emitRegion, emitValue, LINE_WIDTH } from "../text.js";

/** Emits the types of one operation: `ListPetsRequest`, `ListPetsReplies` and, where it has some, `ListPetsItem` and `ListPetsCallbacks`. */
export function emitOperationTypes(operation: Operation, context: Context): string {
  const { id, callbacks } = operation;
  const comment = `Requests that the service sends as callbacks of ${id}, with their possible responses.`;
  const declarations = [
    emitRequest(operation, context),
    ...(hasItems(operation) ? [emitItem(operation, context)] : []),
    emitReplies(operation, context),
    ...(callbacks.length === 0
      ? []
      : [emitOutgoing(context.names.callbacks(operation), comment, callbacks, context)]),
  ];
  return emitRegion(`${id}: ${toOperationLabel(operation)}`, declarations.join("\n"));
}

/** Tests whether a reply method of the operation takes optional headers, which require `ReplyOptions`. */
export function hasOptionalHeaders(operation: Operation): boolean {
  return operation.responses.some((response) => {
    const headers = replyHeaders(operation, response);
    return headers.length > 0 && !headers.some(({ required }) => required);
  });
}

/** Lists the headers that a handler sends. The runtime itself sends those of a deprecation. */
function replyHeaders({ lifecycle }: Operation, { headers }: Response): readonly ResponseHeader[] {
  if (lifecycle?.deprecated !== true) return headers;
  return headers.filter(({ name }) => !["deprecation", "sunset"].includes(name.toLowerCase()));
}

function emitRequest(operation: Operation, context: Context): string {
  const lines = Object.entries(REQUEST_MEMBERS).map(([place, key]) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    if (place === "querystring" && parameters.length === 0) return "";
    return `  readonly ${key}: ${emitParameters(parameters, { ...context, view: "request" }, "  ")};\n`;
  });
  const body = emitRequestBody(operation.requestBody, context);
  return `export interface ${context.names.request(operation)} {\n${lines.join("")}${emitAccepts(operation)}  readonly body:${body.startsWith("\n") ? "" : " "}${body};\n}\n`;
}

/** Emits `accepts`: the accepted media types of successful responses; empty if there is only one. */
function emitAccepts(operation: Operation): string {
  const names = findNegotiated(operation.responses);
  if (names.length < 2) return "";
  const comment = "Media types that the client accepts, the preferred one first.";
  const type = names.map((name) => emitValue(name)).join(" | ");
  return `${emitComment([comment], "  ")}  readonly accepts: Accepts<${type}>;\n`;
}

/** Emits `ListEventsItem`, with which a handler's generator can be annotated. */
function emitItem(operation: Operation, context: Context): string {
  const comment = emitComment([`An item of a response of ${operation.id}.`], "");
  return `${comment}export type ${context.names.item(operation)} = ${emitItemType(operation, context, "")};\n`;
}

function emitReplies(operation: Operation, context: Context): string {
  const members = operation.responses.map((response) => {
    const { status, summary, description = summary, mediaTypes } = response;
    const key = /^\d+$/.test(status) ? status : emitKey(status);
    const comment = emitComment([description], "  ");
    if (mediaTypes.length < 2)
      return comment + emitMethod(key, response, { operation, context, indent: "  " });
    const methods = mediaTypes.map((mediaType) =>
      emitMethod(
        emitKey(mediaType.methodName),
        { ...response, mediaTypes: [mediaType] },
        { operation, context, indent: "    " },
      ),
    );
    return `${comment}  readonly ${key}: {\n${methods.join("")}  };\n`;
  });
  const head = `${context.names.replies(operation)} extends RawReplies<${emitValue(operation.id)}>`;
  return `export interface ${head} ${members.length > 0 ? `{\n${members.join("")}}` : "{}"}\n`;
}

interface MethodContext {
  readonly operation: Operation;
  readonly context: Context;
  readonly indent: string;
}

function emitMethod(key: string, response: Response, { operation, context, indent }: MethodContext): string {
  const parameters = [
    ...emitStatusType(response, operation.responses),
    ...response.mediaTypes.flatMap((mediaType) =>
      emitReplyContent(mediaType, { ...context, operation }, indent),
    ),
    ...emitOptions(operation, response, context),
  ];
  const type = `Reply<${emitValue(operation.id)}>`;
  const line = `${indent}${key}(${parameters.join(", ")}): ${type};\n`;
  if (line.length <= LINE_WIDTH || parameters.some((parameter) => parameter.includes("\n"))) return line;
  return `${indent}${key}(\n${parameters.map((parameter) => `${indent}  ${parameter},\n`).join("")}${indent}): ${type};\n`;
}

function emitOptions(operation: Operation, response: Response, context: Context): readonly string[] {
  const headers = replyHeaders(operation, response);
  if (headers.length === 0) return [];
  const members = headers.map(
    ({ name, required, schema }) =>
      `readonly ${emitKey(name)}${required ? "" : "?"}: ${emitType(schema, { ...context, view: "response" }, "    ")}`,
  );
  const type = `{ ${members.join("; ")} }`;
  const required = headers.some((header) => header.required);
  return [required ? `options: { readonly headers: ${type} }` : `options?: ReplyOptions<${type}>`];
}

/** @see https://www.iana.org/assignments/http-status-codes, without 1xx, which are not final responses. */
const REGISTERED = [
  ...[200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 307, 308],
  ...[
    400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423,
    424,
  ],
  ...[425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511],
];

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Emits the status parameter of a reply method. The method of a status code has none, and that of `default` takes any number.
 * `4XX` takes the registered codes that the operation does not declare itself, because a declared code takes precedence over its
 * range. If it has a body, codes without a body are excluded.
 */
function emitStatusType(
  { status, mediaTypes }: Pick<Response, "status" | "mediaTypes">,
  responses: readonly Response[],
): readonly string[] {
  if (status === "default") return ["status: number"];
  if (!status.endsWith("XX")) return [];
  const declared = new Set(responses.map((response) => response.status));
  const codes = REGISTERED.filter(
    (code) =>
      status.startsWith(String(code).charAt(0)) &&
      !declared.has(String(code)) &&
      !(mediaTypes.length > 0 && BODILESS.has(code)),
  );
  return [`status: ${codes.join(" | ") || "never"}`];
}
