import { findStatusKey } from "../../core/http/status.js";
import { findMediaType, toReplyKind } from "../../core/http/media-type.js";
import { type Operation, type Response, toContentKind } from "../../core/model/index.js";
import type { Schema } from "../../core/schema/index.js";
import { memoize } from "../http/memo.js";
import type { ReplyHeaders } from "../http/send-whole.js";
import { isItemSource } from "../response/items.js";
import { isByteSource, isReadable, type Reply, type ReplyContent } from "../response/reply.js";
import { isSent } from "./branches.js";
import type { SideValidator } from "./side-validator.js";
import { Removals } from "./removal.js";
import type { SideSchemas } from "./schemas.js";
import type { RemoveUndeclared } from "./undeclared.js";

type Parts = Pick<Reply<string>, "status" | "content" | "headers">;

/** Problems of a response's status, content and headers; empty when it is as declared. */
export type ResponseCheck = (reply: Parts) => readonly string[];

/** Removes undeclared members from the JSON content of a response; undefined if it has none. */
export type RemoveFromResponse = (
  reply: Pick<Parts, "status" | "content">,
) => { readonly content: ReplyContent; readonly problems: readonly string[] } | undefined;

type BodyCheck = (body: unknown) => readonly string[];
interface DeclaredContent {
  /** Media type or range. */
  readonly name: string;
  readonly kind: ReplyContent["kind"];
  readonly check: BodyCheck;
}
type HeaderCheck = (headers: ReplyHeaders) => readonly string[];

/** Compiles the removal of undeclared members from all responses of an operation. */
export function compileRemoval(
  { responses }: Operation,
  compile: (schema: Schema) => RemoveUndeclared | undefined,
): RemoveFromResponse {
  const declaredContent = new Map(
    responses.map(({ status, mediaTypes }) => {
      const declared = mediaTypes
        .filter(({ name }) => toReplyKind(name) === "json")
        .map(({ name, schema }) => ({ name, remove: schema && compile(schema) }));
      return [status, memoize((mediaType) => ({ ...findMediaType(declared, mediaType) }))] as const;
    }),
  );
  const findDeclared = memoize((status) => ({
    find: declaredContent.get(findStatusKey(declaredContent.keys(), Number(status)) ?? ""),
  }));
  return ({ status, content }) => {
    if (content?.kind !== "json") return undefined;
    const remove = findDeclared(String(status)).find?.(content.mediaType).remove;
    if (remove === undefined) return undefined;
    const removals = new Removals();
    const body = remove(content.body, removals);
    return body === content.body ? undefined : { content: { ...content, body }, problems: removals.problems };
  };
}

/** Creates the check of an operation's responses. Each is compiled when it is first needed: it takes milliseconds. */
export function createResponseCheck(
  { responses }: Operation,
  schemas: SideSchemas,
  validator: SideValidator,
): ResponseCheck {
  const declared = new Map(responses.map((response) => [response.status, response]));
  const compiled = new Map<Response, CompiledResponse>();
  return ({ status, content, headers }) => {
    const response = declared.get(findStatusKey(declared.keys(), status) ?? "");
    if (response === undefined) return [`status ${status} is not declared`];
    const checks = compiled.get(response) ?? compileResponse(response, schemas, validator);
    compiled.set(response, checks);
    return [...findContentProblems(content, checks.content), ...checks.headers(headers)];
  };
}

interface CompiledResponse {
  readonly headers: HeaderCheck;
  readonly content: readonly DeclaredContent[];
}

function compileResponse(
  response: Response,
  schemas: SideSchemas,
  validator: SideValidator,
): CompiledResponse {
  return {
    headers: compileHeaders(response, schemas, validator),
    content: response.mediaTypes.map((mediaType) => {
      const { name, schema } = mediaType;
      const kind = toContentKind(mediaType);
      if (kind !== "json" || schema === undefined) return { name, kind, check: CHECKS[kind] };
      const validate = validator.compileValue(schemas.write(schema));
      return {
        name,
        kind,
        check: (body) =>
          isSent(body)
            ? validate(body).map(({ path, text }) => `/${path.join("/")} ${text}`)
            : ["a body is required"],
      };
    }),
  };
}

/** Checks of bodies that no schema validates. */
const CHECKS: Readonly<Record<ReplyContent["kind"], BodyCheck>> = {
  json: (body) => (isSent(body) ? [] : ["a body is required"]),
  text: (body) => (typeof body === "string" ? [] : ["the body must be a string"]),
  binary: (body) =>
    body instanceof Uint8Array || isReadable(body) || isByteSource(body)
      ? []
      : ["the body must be bytes or a stream"],
  items: (body) => (isItemSource(body) ? [] : ["the body must be an iterable of items"]),
};

function findContentProblems(
  content: ReplyContent | undefined,
  declared: readonly DeclaredContent[],
): readonly string[] {
  if (content === undefined) return declared.length === 0 ? [] : ["a body is required"];
  // A body that is sent as bytes comes under `*\/*` even where JSON is declared beside it.
  const candidates = declared.filter(({ kind }) => kind === content.kind);
  const check = findMediaType(candidates, content.mediaType)?.check;
  return check ? check(content.body) : [`media type ${content.mediaType} is not declared`];
}

/** Compiles the header declarations of a response, which express-openapi-validator leaves alone. */
function compileHeaders({ headers }: Response, schemas: SideSchemas, validator: SideValidator): HeaderCheck {
  if (headers.length === 0) return () => [];
  const validate = validator.compile({
    type: "object",
    properties: Object.fromEntries(
      headers.map(({ name, schema }) => [name.toLowerCase(), schemas.write(schema)]),
    ),
    required: headers.filter(({ required }) => required).map(({ name }) => name.toLowerCase()),
  });
  return (sent) =>
    validate(
      Object.fromEntries(
        Object.entries(sent).flatMap(([name, value]) =>
          value === undefined ? [] : [[name.toLowerCase(), value]],
        ),
      ),
    ).map(({ path, text }) => `header ${path.join("/")} ${text}`);
}
