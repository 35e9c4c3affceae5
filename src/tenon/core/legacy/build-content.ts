import { buildMediaTypes } from "./build-media-types.js";
import { buildHeaders } from "./build-parameters.js";
import { type DocumentContext, type Located, members, resolve, resolveMember, toText } from "./document.js";
import type { NamedSchema, RequestBody, Response } from "./model.js";

export interface LocatedOperation extends Located {
  readonly method: string;
  readonly path: string;
}

/**
 * @param formSchemas Components, for a request that is received: the fields of its forms are read.
 * @see https://spec.openapis.org/oas/v3.1.0#request-body-object
 */
export function buildRequestBody(
  operation: LocatedOperation,
  context: DocumentContext,
  formSchemas?: ReadonlyMap<string, NamedSchema>,
): RequestBody | undefined {
  const located = resolveMember(operation, "requestBody", context);
  if (located === undefined) return undefined;
  return {
    required: located.node["required"] === true,
    mediaTypes: buildMediaTypes(
      located,
      { label: `the request body of ${toLabel(operation)}`, formSchemas },
      context,
    ),
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
        mediaTypes: buildMediaTypes(
          located,
          { label: `response ${status} of ${toLabel(operation)}` },
          context,
        ),
      },
    ];
  });
}

function toLabel({ method, path }: LocatedOperation): string {
  return `${method.toUpperCase()} ${path}`;
}
