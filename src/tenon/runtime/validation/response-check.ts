import { Readable } from "node:stream";
import { toReplyKind } from "../../core/http/media-type.js";
import type { EnforcedResponses } from "./enforced-contract.js";
import type { Eov } from "./eov.js";
import { findDeclared, parseMediaType } from "../response/media-range.js";
import type { OperationDescriptor } from "../operation.js";
import { responseKey } from "../response/replies.js";
import type { Reply, ReplyContent } from "../response/reply.js";
import { compileResponseHeaders } from "./response-headers.js";

/** Problems of a response's status, content and headers; empty when it is as declared. */
export type ResponseCheck = (
  reply: Pick<Reply<string>, "status" | "content" | "headers">,
) => readonly string[];

type BodyCheck = (body: unknown) => readonly string[];

/** Compiles the checks of all responses of an operation. */
export function compileResponseCheck(
  operation: OperationDescriptor,
  responses: EnforcedResponses,
  eov: Pick<Eov, "compileResponse">,
): ResponseCheck {
  const headerChecks = compileResponseHeaders(eov.compileResponse, responses);
  const contentChecks = new Map(
    Object.entries(operation.responses).map(([key, { mediaTypes }]) => {
      const content = responses.get(key)?.content;
      const checks = mediaTypes.map((name): [string, BodyCheck] => {
        const declared = toReplyKind(name) === "json" ? content?.get(name) : undefined;
        return [name, declared ? compileJson(declared.schema, eov) : CHECKS[toReplyKind(name)]];
      });
      return [key, new Map(checks)];
    }),
  );
  return ({ status, content, headers }) => {
    const key = responseKey(operation, status);
    if (key === undefined) return [`status ${status} is not declared`];
    return [
      ...findContentProblems(content, contentChecks.get(key) ?? new Map<string, BodyCheck>()),
      ...(headerChecks.get(key)?.(headers) ?? []),
    ];
  };
}

function compileJson(schema: object | boolean, eov: Pick<Eov, "compileResponse">): BodyCheck {
  const check = eov.compileResponse({ type: "object", properties: { body: schema } });
  return (body) => check({ body }).map(({ path: [, ...path], text }) => `/${path.join("/")} ${text}`);
}

/** What is asked of a body that no schema judges. */
const CHECKS: Readonly<Record<ReplyContent["kind"], BodyCheck>> = {
  json: () => [],
  text: (body) => (typeof body === "string" ? [] : ["the body must be a string"]),
  binary: (body) =>
    body instanceof Uint8Array || body instanceof Readable ? [] : ["the body must be bytes or a stream"],
};

function findContentProblems(
  content: ReplyContent | undefined,
  declared: ReadonlyMap<string, BodyCheck>,
): readonly string[] {
  if (content === undefined) return declared.size === 0 ? [] : ["a body is required"];
  const mediaType = parseMediaType(content.mediaType);
  // A body that is sent as bytes comes under `*\/*` even where JSON is declared beside it.
  const candidates = [...declared.keys()].filter((name) => toReplyKind(name) === content.kind);
  const name = mediaType === undefined ? undefined : findDeclared(candidates, mediaType);
  const check = name === undefined ? undefined : declared.get(name);
  return check === undefined ? [`media type ${content.mediaType} is not declared`] : check(content.body);
}
