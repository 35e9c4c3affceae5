import { buildHeaders } from "./build-parameters.js";
import { buildSchema } from "./build-schema.js";
import {
  type DocumentContext,
  getOwn,
  isNode,
  joinPointer,
  type Located,
  members,
  resolve,
  toText,
} from "./document.js";
import type { MediaType, RequestBody, Response } from "./model.js";

export interface LocatedOperation extends Located {
  readonly method: string;
  readonly path: string;
}

const JSON_MEDIA_TYPE = /^application\/(?:[^\s;/]+\+)?json(?:\s*;.*)?$/i;

/** @see https://spec.openapis.org/oas/v3.1.0#request-body-object */
export function buildRequestBody(
  operation: LocatedOperation,
  context: DocumentContext,
): RequestBody | undefined {
  const declared = getOwn(operation.node, "requestBody");
  if (!isNode(declared)) return undefined;
  const located = resolve(
    { node: declared, pointer: joinPointer(operation.pointer, "requestBody") },
    context,
  );
  if (located === undefined) return undefined;
  return {
    required: located.node["required"] === true,
    mediaTypes: buildMediaTypes(located, `the request body of ${toLabel(operation)}`, context),
  };
}

/** @see https://spec.openapis.org/oas/v3.1.0#responses-object */
export function buildResponses(operation: LocatedOperation, context: DocumentContext): readonly Response[] {
  return members(operation, "responses").flatMap(({ name: status, ...reference }) => {
    const located = /^(?:[1-5](?:\d\d|XX)|default)$/.test(status) ? resolve(reference, context) : undefined;
    if (located === undefined) return [];
    const description = toText(located.node["description"]);
    return [
      {
        status,
        ...(description !== undefined && { description }),
        headers: buildHeaders(located, context),
        mediaTypes: buildMediaTypes(located, `response ${status} of ${toLabel(operation)}`, context),
      },
    ];
  });
}

function toLabel({ method, path }: LocatedOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

function buildMediaTypes(located: Located, what: string, context: DocumentContext): readonly MediaType[] {
  const declared = members(located, "content").map(({ name, ...mediaType }) => ({
    name,
    schema: buildSchema(mediaType, "schema", context),
  }));
  const names = declared.map(({ name }) => name);
  if (names.length > 1 || !names.every((name) => JSON_MEDIA_TYPE.test(name))) {
    const message = `Cannot emit ${what} as ${names.join(", ")}: exactly one JSON media type is supported yet`;
    context.report("media-type-unsupported", joinPointer(located.pointer, "content"), message);
  }
  return declared;
}
