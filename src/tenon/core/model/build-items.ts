import { getOwn, joinPointer } from "../document/pointer.js";
import type { Located } from "../document/node.js";
import { findItemFormat } from "../http/item-format.js";
import { toMediaKind } from "../http/media-type.js";
import { findAllowed } from "../parameters/allowed-types.js";
import type { Schema, SchemaRegistry } from "../schema/index.js";
import { buildParts, hasPositions } from "./build-parts.js";
import type { BuildContext } from "./context.js";
import type { EventKind } from "../http/event-stream.js";
import type { Items } from "./content.js";
import type { Operation } from "./contract.js";

/** `x-itemSchema` says the same in OpenAPI 3.0 and 3.1. */
const KEYWORDS = ["itemSchema", "x-itemSchema"] as const;

/** The owner of a media type: a request body or a response. */
export interface ItemsOwner {
  /** `the request body of POST /pets` */
  readonly label: string;
  /** True if the service reads it. */
  readonly isReceived: boolean;
  /** Schema of the whole body. */
  readonly whole: Schema | undefined;
}

/** @see https://spec.openapis.org/oas/v3.2.0#media-type-object */
export function buildItems(
  mediaType: Located & { readonly name: string },
  { label, isReceived, whole }: ItemsOwner,
  context: BuildContext,
): Items | undefined {
  const { registry, report } = context;
  const keyword = KEYWORDS.find((key) => getOwn(mediaType.node, key) !== undefined);
  const schema = keyword && registry.read(mediaType, keyword);
  reportWhole(mediaType, { keyword, isReceived, whole }, context);
  if (keyword === undefined || schema === undefined) {
    if (!hasPositions(mediaType, { schema: whole, label }, context) || whole === undefined) return undefined;
    return buildParts({ located: mediaType, label, schema: whole, isStream: false }, context);
  }
  const pointer = joinPointer(mediaType.pointer, keyword);
  const format = findItemFormat(mediaType.name);
  const refuse = (reason: string, hint: string, at = pointer): void => {
    const message = `Cannot serve ${label} as "${mediaType.name}" with items: ${reason}`;
    report("media-type-unsupported", at, message, hint);
  };
  if (format === undefined || (isReceived && format === "events")) {
    const reason = format ? "only responses are event streams" : "it is not a sequential media type";
    const others = `application/json-seq${isReceived ? "" : ", text/event-stream"}`;
    refuse(reason, `Use application/jsonl or ${others}, or \`schema\``);
    return undefined;
  }
  if (format === "parts") return buildParts({ located: mediaType, label, schema, isStream: true }, context);
  if (format !== "events") return { format, schema, events: [] };
  if (!allows(schema, "object", registry)) refuse("an event is an object with `data`", DATA_HINT);
  const shapes = listShapes(schema, registry, new Set());
  for (const {
    schema: { properties: { data } = {} },
    json,
  } of shapes)
    if (!json && data && !allows(data, "string", registry))
      refuse("the `data` of an event is a text", DATA_HINT, data.pointer);
  return toEvents(schema, shapes);
}

/**
 * Reports a schema of the whole content that no stream is compared with. Beside `x-itemSchema`, it is meant for other tools.
 * @see https://spec.openapis.org/oas/v3.2.0#complete-vs-streaming-content
 */
function reportWhole(
  { name, pointer }: Located & { readonly name: string },
  { keyword, isReceived, whole }: Omit<ItemsOwner, "label"> & { readonly keyword: string | undefined },
  { registry, report }: BuildContext,
): void {
  const format = findItemFormat(name);
  if (whole === undefined || format === undefined || keyword === "x-itemSchema") return;
  if (keyword === undefined && (format === "parts" || allows(whole, "string", registry))) return;
  const message = `\`schema\` is not applied to the content of "${name}"`;
  const hint =
    keyword === undefined
      ? "Describe each item with `itemSchema`, before OpenAPI 3.2 with `x-itemSchema`"
      : "Remove it: a stream is validated item by item";
  const isPossible = format !== "events" || !isReceived;
  report("schema-ignored", joinPointer(pointer, "schema"), message, isPossible ? hint : undefined);
}

const DATA_HINT =
  "Describe its JSON: `data: { type: string, contentMediaType: application/json, contentSchema: … }`";

function allows(schema: Schema, type: "object" | "string", registry: SchemaRegistry): boolean {
  const allowed = findAllowed(schema, registry);
  return (
    allowed === undefined || (type === "object" ? allowed.object !== undefined : allowed.plain.includes(type))
  );
}

/** Tests whether an operation says how a stream of its events is continued after a break. */
export function declaresLastEventId({ parameters }: Pick<Operation, "parameters">): boolean {
  return parameters.some((one) => one.in === "header" && one.name.toLowerCase() === "last-event-id");
}

/** An event's fields as the handler and the client see them: `data` is the value whose JSON is sent. */
interface EventShape extends EventKind {
  readonly schema: Schema;
}

/**
 * Makes the schema of events with the type of their data in place of a string: `{ data: { contentMediaType: application/json,
 * contentSchema: … } }` becomes `{ data: … }`.
 */
function toEvents(schema: Schema, shapes: readonly EventShape[]): Items {
  const [only] = shapes;
  const { pointer, description } = schema;
  const union = {
    pointer,
    ...(description !== undefined && { description }),
    anyOf: shapes.map((one) => one.schema),
  };
  return {
    format: "events",
    schema: only !== undefined && shapes.length === 1 ? only.schema : union,
    events: shapes.map(({ event, text, json }) => ({
      json,
      ...(event !== undefined && { event }),
      ...(text !== undefined && { text }),
    })),
  };
}

function listShapes(schema: Schema, registry: SchemaRegistry, seen: Set<Schema>): readonly EventShape[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const parts = [...registry.parts(schema)];
  const properties = mergeProperties(parts, registry);
  const alternatives = parts.flatMap(({ oneOf = [], anyOf = [] }) => [...oneOf, ...anyOf]);
  const common = toShape(parts, properties, registry);
  if (alternatives.length === 0) return [common];
  return alternatives.flatMap((alternative) =>
    listShapes(alternative, registry, seen).map((shape) => {
      const { json, text } = shape.schema.properties?.["data"] ? shape : common;
      return {
        event: shape.event ?? common.event,
        json,
        text,
        schema: {
          ...shape.schema,
          properties: { ...properties, ...shape.schema.properties },
          required: [...new Set([...(common.schema.required ?? []), ...(shape.schema.required ?? [])])],
        },
      };
    }),
  );
}

function mergeProperties(
  parts: readonly Schema[],
  registry: SchemaRegistry,
): Readonly<Record<string, Schema>> {
  const entries = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  return Object.fromEntries(
    entries.map(([name, one]) => [name, name === "data" ? toValue(one, registry) : one]),
  );
}

/** The value whose JSON a text is; the text itself if it has no JSON. */
function toValue(schema: Schema, registry: SchemaRegistry): Schema {
  return findContent(schema, registry) ?? schema;
}

function findContent(schema: Schema | undefined, registry: SchemaRegistry): Schema | undefined {
  if (schema === undefined) return undefined;
  for (const { contentMediaType, contentSchema, pointer } of registry.parts(schema))
    if (contentMediaType !== undefined && toMediaKind(contentMediaType) === "json")
      return contentSchema ?? { pointer: joinPointer(pointer, "contentSchema") };
  return undefined;
}

function toShape(
  parts: readonly Schema[],
  properties: Readonly<Record<string, Schema>>,
  registry: SchemaRegistry,
): EventShape {
  const [{ pointer, description } = { pointer: "#" }] = parts;
  const declared = parts.flatMap(({ properties: { data } = {} }) => data ?? []);
  const json = declared.some((data) => findContent(data, registry) !== undefined);
  return {
    event: findConstant(properties["event"], registry),
    text: json ? undefined : findConstant(properties["data"], registry),
    json,
    schema: {
      pointer,
      ...(description !== undefined && { description }),
      type: ["object"],
      properties,
      required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    },
  };
}

/** Returns the only text that a schema allows. */
function findConstant(schema: Schema | undefined, registry: SchemaRegistry): string | undefined {
  if (schema === undefined) return undefined;
  const [value, ...others] = [...registry.parts(schema)].flatMap((part) => part.enum ?? []);
  return typeof value === "string" && others.length === 0 ? value : undefined;
}
