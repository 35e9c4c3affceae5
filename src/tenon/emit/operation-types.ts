import type { MediaType, Operation, Parameter, Response, ResponseHeader } from "../contract/model.js";
import { emitType, type TypeContext } from "./schema-type.js";
import { emitStatusType } from "./status-type.js";
import { emitComment, emitKey, emitValue, LINE_WIDTH } from "./text.js";

type Context = Omit<TypeContext, "view">;

/** Emits the types of one operation: `ListPetsRequest` and `ListPetsReplies`. */
export function emitOperationTypes(operation: Operation, context: Context): string {
  return [emitRequest(operation, context), emitReplies(operation, context)].join("\n");
}

/** Whether a reply method of the operation takes optional headers, for which server.ts needs `ReplyOptions`. */
export function hasOptionalHeaders(operation: Operation): boolean {
  return operation.responses.some((response) => {
    const headers = replyHeaders(operation, response);
    return headers.length > 0 && !headers.some(({ required }) => required);
  });
}

/** Headers of a response that a handler sends: the runtime sends those of a deprecation itself, on every answer. */
function replyHeaders({ deprecation }: Operation, { headers }: Response): readonly ResponseHeader[] {
  if (deprecation === undefined) return headers;
  return headers.filter(({ name }) => !["deprecation", "sunset"].includes(name.toLowerCase()));
}

function emitRequest(operation: Operation, context: Context): string {
  const lines = (["path", "query", "header", "cookie"] as const).map((place) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    const key = { path: "path", query: "query", header: "headers", cookie: "cookies" }[place];
    return `  readonly ${key}: ${emitParameters(parameters, context)};\n`;
  });
  const body = emitBody(operation, context);
  return `export interface ${context.names.request(operation)} {\n${lines.join("")}  readonly body: ${body};\n}\n`;
}

function emitParameters(parameters: readonly Parameter[], context: Context): string {
  if (parameters.length === 0) return "{}";
  const members = parameters.map(
    ({ name, in: place, description, deprecated, required, hasDefault, schema }) => {
      const comment = emitComment([description, deprecated && "@deprecated"], "    ");
      const key = emitKey(place === "header" ? name.toLowerCase() : name);
      const optional = required || hasDefault ? "" : "?";
      return `${comment}    readonly ${key}${optional}: ${emitType(schema, { ...context, view: "request" }, "    ")};\n`;
    },
  );
  return `{\n${members.join("")}  }`;
}

function emitBody({ requestBody }: Operation, context: Context): string {
  const [mediaType] = requestBody?.mediaTypes ?? [];
  if (requestBody === undefined || mediaType === undefined) return "undefined";
  const type = emitType(mediaType.schema, { ...context, view: "request" }, "  ");
  return requestBody.required ? type : `${type} | undefined`;
}

function emitReplies(operation: Operation, context: Context): string {
  const methods = operation.responses.map((response) => {
    const { status, description, mediaTypes } = response;
    const parameters = [
      ...emitStatusType(status, operation.responses),
      ...emitContent(mediaTypes, context),
      ...emitOptions(operation, response, context),
    ];
    const key = /^\d+$/.test(status) ? status : emitKey(status);
    const reply = `Reply<${emitValue(operation.id)}>`;
    return `${emitComment([description], "  ")}${emitMethod(key, parameters, reply)}`;
  });
  return `export interface ${context.names.replies(operation)} {\n${methods.join("")}}\n`;
}

function emitMethod(key: string, parameters: readonly string[], type: string): string {
  const line = `  ${key}(${parameters.join(", ")}): ${type};\n`;
  if (line.length <= LINE_WIDTH || parameters.some((parameter) => parameter.includes("\n"))) return line;
  return `  ${key}(\n${parameters.map((parameter) => `    ${parameter},\n`).join("")}  ): ${type};\n`;
}

function emitContent([mediaType]: readonly MediaType[], context: Context): readonly string[] {
  return mediaType ? [`body: ${emitType(mediaType.schema, { ...context, view: "response" }, "  ")}`] : [];
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
