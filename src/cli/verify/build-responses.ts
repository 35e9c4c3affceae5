import { type Located, members, type Node, resolve, toText } from "tenon/core/legacy/document";
import { toMediaKind } from "tenon/core/http/media-type";
import { buildContent } from "./build-content.js";
import type { TargetContext } from "./build-target.js";
import type { TargetHeader, TargetLink, TargetResponse } from "./target.js";

/** What an operation may answer, by status code, range or `default`. */
export function buildResponses(
  operation: Located,
  context: TargetContext,
): ReadonlyMap<string, TargetResponse> {
  return new Map(
    members(operation, "responses").flatMap(({ name: status, ...reference }) => {
      const located = resolve(reference, context);
      if (located === undefined || status.startsWith("x-")) return [];
      const response = {
        headers: buildHeaders(located, context),
        content: buildContent(located, context.responses, context),
        links: buildLinks(located, context),
      };
      return [[status, response] as const];
    }),
  );
}

/** OpenAPI ignores `Content-Type` here: the media types say it. */
function buildHeaders(response: Located, context: TargetContext): readonly TargetHeader[] {
  return members(response, "headers").flatMap(({ name, ...reference }) => {
    const header = resolve(reference, context);
    if (header === undefined || name.toLowerCase() === "content-type") return [];
    const [content] = members(header, "content");
    const json = content !== undefined && toMediaKind(content.name) === "json";
    const schema = json ? content.node["schema"] : content === undefined ? header.node["schema"] : {};
    return [
      { name, required: header.node["required"] === true, schema: context.responses.add(schema), json },
    ];
  });
}

function buildLinks(response: Located, context: TargetContext): readonly TargetLink[] {
  return members(response, "links").flatMap((reference) => {
    const node = resolve(reference, context)?.node;
    const operationId = node && toText(node["operationId"]);
    if (node === undefined || operationId === undefined) return [];
    const parameters = Object.entries((node["parameters"] ?? {}) as Node).flatMap(([name, expression]) =>
      typeof expression === "string"
        ? [[name.replace(/^(?:path|query|header|cookie)\./, ""), expression] as const]
        : [],
    );
    return [{ operationId, parameters: Object.fromEntries(parameters) }];
  });
}
