import type { MediaType, OutgoingRequest } from "tenon/core/model";
import { groupBy } from "../group-by.js";
import { emitValueType } from "./media-type-types.js";
import { emitParameters, REQUEST_MEMBERS } from "./parameter-types.js";
import type { Context, TypeContext } from "./schema-type.js";
import { emitComment, emitKey } from "../text.js";

/**
 * Emits the requests that the service sends and their responses, by name, expression and method:
 * `onEvent: { "{$request.body#/url}": { post: { readonly body: Event; readonly replies: { 204: undefined } } } }`.
 * `query` and `headers` are there if the request declares some. Bodies have the response view, because the service is their sender.
 */
export function emitOutgoing(
  name: string,
  comment: string,
  requests: readonly OutgoingRequest[],
  context: Context,
): string {
  const inner = { ...context, view: "response" } as const;
  const members = [...groupBy(requests, (request) => request.name)].map(([key, named]) => {
    const webhook = named.every(({ expression }) => expression === undefined);
    const value = webhook ? emitMethods(named, inner, "  ") : emitExpressions(named, inner);
    return `  readonly ${emitKey(key)}: ${value};\n`;
  });
  return `${emitComment([comment])}export interface ${name} {\n${members.join("")}}\n`;
}

function emitExpressions(requests: readonly OutgoingRequest[], context: TypeContext): string {
  const members = [...groupBy(requests, ({ expression = "" }) => expression)].map(
    ([expression, group]) => `    readonly ${emitKey(expression)}: ${emitMethods(group, context, "    ")};\n`,
  );
  return `{\n${members.join("")}  }`;
}

function emitMethods(requests: readonly OutgoingRequest[], context: TypeContext, indent: string): string {
  const methods = requests.map(({ method, summary, parameters, requestBody, responses }) => {
    const inner = `${indent}    `;
    const sent = (["query", "header"] as const).map((place) => {
      const declared = parameters.filter((parameter) => parameter.in === place);
      const type = emitParameters(declared, context, inner);
      return declared.length > 0 ? `${inner}readonly ${REQUEST_MEMBERS[place]}: ${type};\n` : "";
    });
    const body = emitUnion(requestBody?.mediaTypes ?? [], context, inner);
    const replies = responses.map(({ status, summary: title, description = title, mediaTypes }) => {
      const key = /^\d+$/.test(status) ? status : emitKey(status);
      const type = emitUnion(mediaTypes, context, `${inner}  `);
      return `${emitComment([description], `${inner}  `)}${inner}  readonly ${key}: ${type};\n`;
    });
    const optional = requestBody !== undefined && !requestBody.required ? " | undefined" : "";
    return `${emitComment([summary], `${indent}  `)}${indent}  readonly ${emitKey(method)}: {
${sent.join("")}${inner}readonly body: ${body}${optional};
${inner}readonly replies: {\n${replies.join("")}${inner}};
${indent}  };
`;
  });
  return `{\n${methods.join("")}${indent}}`;
}

function emitUnion(mediaTypes: readonly MediaType[], context: TypeContext, indent: string): string {
  const types = mediaTypes.map((mediaType) => emitValueType(mediaType, context, indent));
  return [...new Set(types)].join(" | ") || "undefined";
}
