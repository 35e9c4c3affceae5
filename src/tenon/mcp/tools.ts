import { getByPointer, getValue, isNode } from "../core/document/index.js";
import { toMediaKind } from "../core/http/media-type.js";
import {
  type Contract,
  type MediaType,
  type Operation,
  type Parameter,
  toItemList,
} from "../core/model/index.js";
import type { JsonSchema } from "../core/schema/index.js";
import { PART } from "./tool-result.js";
import { shorten, ToolSchemas } from "./tool-schema.js";

/** An operation as a tool. */
export interface Tool {
  /** Unique; letters, digits, `_` and `-`, at most 64 characters. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Hints;
  readonly operation: Operation;
  readonly arguments: readonly Argument[];
  /** Media type of the request body that the arguments are written in. */
  readonly mediaType: MediaType | undefined;
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations */
export interface Hints {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A schema that every client accepts for a tool: its values are objects. */
export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: "object";
  readonly properties: Record<string, object>;
  readonly required?: string[];
  readonly additionalProperties: boolean;
}

/** An argument of a tool, and the part of the request that it becomes: a parameter, a member of the body, or the whole body. */
export interface Argument {
  readonly name: string;
  readonly in: Parameter["in"] | "member" | "body";
  /** Name of the parameter or member; "" for the whole body. */
  readonly target: string;
}

/** `x-mcp` of an operation. */
export interface ToolSettings {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** True if the user should be asked before each call. */
  readonly confirm?: boolean;
  /** True if the operation reaches beyond the service, as a search of the web does. Default: false. */
  readonly openWorld?: boolean;
}

/** The members of `x-mcp`, and the types of their values. */
export const SETTINGS = {
  name: "string",
  title: "string",
  description: "string",
  confirm: "boolean",
  openWorld: "boolean",
} as const satisfies Record<keyof ToolSettings, string>;

/** Characters of a tool's description; models are given all of them at once. */
export const MAX_DESCRIPTION = 900;

/**
 * Reads whether an operation is a tool: `x-mcp: true`, or an object with settings.
 * @returns undefined where the contract does not say, false where it says no.
 */
export function readToolSettings(
  { pointer }: Operation,
  { registry }: Contract,
): ToolSettings | false | undefined {
  const value = getValue(getByPointer(registry.document, pointer), "x-mcp");
  if (value === undefined) return undefined;
  return isNode(value) ? value : value === true ? {} : false;
}

/** Tests whether an operation may be a tool unless it is named itself: it is neither deprecated nor internal. */
export function isOffered({ pointer, lifecycle, stub }: Operation, { registry }: Contract): boolean {
  const isInternal = getValue(getByPointer(registry.document, pointer), "x-internal") === true;
  return lifecycle?.deprecated !== true && !isInternal && !stub;
}

/** The pattern of the names of tools that the models of all major vendors accept. */
export const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/**
 * Creates the tools of operations.
 * @param operations In the order of the tools.
 */
export function createTools(contract: Contract, operations: readonly Operation[]): readonly Tool[] {
  const names = new Set<string>();
  return operations.map((operation) => createTool(operation, contract, names));
}

function createTool(operation: Operation, contract: Contract, names: Set<string>): Tool {
  const stated = readToolSettings(operation, contract);
  const settings = stated === undefined || stated === false ? {} : stated;
  const { id, summary, method, path, parameters } = operation;
  const name = toName((settings.name ?? id).replace(/^(?=[\d-])/, "_"), names);
  const title = settings.title ?? summary ?? id;
  const mediaType = chooseMediaType(operation);
  const input = createInput(parameters, mediaType, operation, contract);
  let output: ObjectSchema | undefined;
  const [first = ""] = (operation.description ?? "").trim().split(/\n\s*\n/);
  const about = settings.description ?? [summary, first].filter(Boolean).join(". ");
  const text = about === "" ? `${method.toUpperCase()} ${path}` : shorten(about, MAX_DESCRIPTION);
  return {
    name,
    title,
    description: settings.confirm === true ? `${text} Ask the user before each call.` : text,
    ...input,
    // Large contracts list no tools, and this is most of the time that they would take.
    get outputSchema() {
      return (output ??= createOutput(
        operation,
        contract,
        Object.hasOwn(input.inputSchema.properties, PART),
      ));
    },
    annotations: createHints(operation, title, settings),
    operation,
    mediaType,
  };
}

/** @param names Those that are taken. */
function toName(text: string, names: Set<string>): string {
  const start = text.replaceAll(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64) || "_";
  let name = start;
  for (let count = 2; names.has(name); count += 1) name = `${start.slice(0, 59)}_${count}`;
  names.add(name);
  return name;
}

const SAFE: ReadonlySet<string> = new Set(["get", "head", "options", "trace", "query"]);

/** Tests whether an operation changes nothing (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Pick<Operation, "method">): boolean {
  return SAFE.has(method);
}

function createHints(operation: Operation, title: string, { confirm, openWorld }: ToolSettings): Hints {
  const { method } = operation;
  const readOnlyHint = isSafe(operation);
  return {
    title,
    readOnlyHint,
    destructiveHint: !readOnlyHint && (confirm === true || method !== "post"),
    idempotentHint: readOnlyHint || method === "put" || method === "delete",
    openWorldHint: openWorld === true,
  };
}

/** Chooses JSON where it is declared, otherwise the first media type. */
function chooseMediaType({ requestBody }: Operation): MediaType | undefined {
  const all = requestBody?.mediaTypes ?? [];
  return all.find(({ name }) => name === "application/json") ?? all[0];
}

function createInput(
  parameters: readonly Parameter[],
  mediaType: MediaType | undefined,
  operation: Operation,
  { registry }: Contract,
): Pick<Tool, "inputSchema" | "arguments"> {
  const { requestBody } = operation;
  const schemas = new ToolSchemas(registry, "request");
  const names = new Set<string>([PART]);
  const list: Argument[] = [];
  // Pairs, because a parameter may be called `__proto__`.
  const properties: [string, object][] = [];
  const required: string[] = [];
  const add = (target: string, place: Argument["in"], schema: JsonSchema, isRequired: boolean) => {
    const name = toName(target === "" ? "body" : target, names);
    list.push({ name, in: place, target });
    properties.push([name, schema === true ? {} : (schema as object)]);
    if (isRequired) required.push(name);
  };
  for (const { name, in: place, schema, required: isRequired, description } of parameters) {
    const written = schemas.write(schema) as object;
    add(
      name,
      place,
      { ...written, ...(description !== undefined && { description: shorten(description, 300) }) },
      isRequired,
    );
  }
  const body = mediaType && writeBodySchema(mediaType, schemas);
  const members = body === undefined ? undefined : listMembers(body, names);
  for (const [name, schema] of members?.properties ?? [])
    add(name, "member", schema, requestBody?.required === true && members?.required.includes(name) === true);
  if (body !== undefined && members === undefined) add("", "body", body, requestBody?.required === true);
  // A safe operation responds the same when it is called again.
  if (isSafe(operation)) properties.push([PART, PART_SCHEMA]);
  return {
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    arguments: list,
  };
}

function writeBodySchema({ name, schema, items, form }: MediaType, schemas: ToolSchemas): JsonSchema {
  if (items !== undefined) return schemas.write(toItemList(items));
  const kind = toMediaKind(name);
  if (typeof form === "object") {
    const fields = form.fields.map((field): [string, JsonSchema] => [
      field.name,
      field.type === "file"
        ? FILE
        : field.type === "files"
          ? { type: "array", items: FILE }
          : schemas.write(field.schema),
    ]);
    const required = form.fields.filter((field) => field.required).map((field) => field.name);
    return { type: "object", properties: Object.fromEntries(fields), required };
  }
  if (kind === "binary") return FILE;
  return schema === undefined ? { type: "string" } : schemas.write(schema);
}

const PART_SCHEMA = {
  type: "integer",
  minimum: 1,
  description: "Part of a response that was too long, from 1; default 1",
};

const FILE = { type: "string", description: "The contents in Base64", contentEncoding: "base64" } as const;

const ARGUMENT_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

interface Members {
  readonly properties: readonly (readonly [name: string, schema: JsonSchema])[];
  readonly required: readonly string[];
}

/** The members of a body that become arguments by themselves: those of an object without alternatives, whose names are not taken. */
function listMembers(body: JsonSchema, names: ReadonlySet<string>): Members | undefined {
  if (typeof body === "boolean") return undefined;
  const { type, properties, required = [], additionalProperties, anyOf, minProperties } = body;
  const isPlain = type === "object" && anyOf === undefined && minProperties === undefined;
  if (!isPlain || !isNode(properties) || isNode(additionalProperties)) return undefined;
  const entries = Object.entries(properties) as [string, JsonSchema][];
  const fits = entries.every(([name]) => ARGUMENT_NAME.test(name) && !names.has(name));
  return fits ? { properties: entries, required: required as string[] } : undefined;
}

/** A result has its status, its body where it is JSON, and the arguments of the next page. */
function createOutput(
  { responses, method }: Operation,
  { registry }: Contract,
  hasParts: boolean,
): ObjectSchema {
  const schemas = new ToolSchemas(registry, "response");
  const successes = responses.filter(({ status }) => /^2|^default$/.test(status));
  const bodies = successes.flatMap(({ mediaTypes }) =>
    mediaTypes.map(({ name, schema, items }): JsonSchema => {
      if (items !== undefined) return { type: "array", items: schemas.write(items.schema) };
      return toMediaKind(name) === "json" && schema !== undefined ? schemas.write(schema) : true;
    }),
  );
  const isOpen = bodies.some((body) => typeof body === "boolean" || Object.keys(body).length === 0);
  const [single, ...others] = bodies;
  const body = isOpen || single === undefined ? {} : others.length === 0 ? single : { anyOf: bodies };
  const hasPages = successes.some(({ headers }) => headers.some(({ name }) => /^link$/i.test(name)));
  return {
    type: "object",
    properties: {
      status: { type: "integer", description: "The HTTP status" },
      ...(method !== "head" && { body: body as object }),
      error: { description: "The body of the response if the status is 400 or more" },
      ...(hasPages && {
        next: { type: "object", description: "The arguments of the next page; absent on the last one" },
      }),
      ...(hasParts && {
        part: {
          type: "integer",
          description: "Which part of a long response this is; absent if it is whole",
        },
        parts: { type: "integer" },
      }),
    },
    required: ["status"],
    additionalProperties: false,
  };
}
