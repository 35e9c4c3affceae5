import { isRange } from "../../core/http/media-type.js";
import { findStatusKey } from "../../core/http/status.js";
import { type MediaType, type Operation, toContentKind } from "../../core/model/index.js";
import type { ReplyHeaders } from "../http/send-whole.js";
import { RawReply, type RawSend, Reply, type ReplyContent, type ReplyOptions } from "./reply.js";

type Options = ReplyOptions<ReplyHeaders>;
type ReplyMethod = (...parameters: never[]) => Reply<string>;
type ReplyMember = ReplyMethod | Readonly<Record<string, ReplyMethod>>;
export type ReplyMethods = Readonly<Record<string, ReplyMember>>;

/**
 * The `reply` object of an operation: one method a declared status, `reply[200](body, options)`, without a body
 * `reply[204](options)`. Several media types under a status have a method each: `reply[200].csv(text)`. What the contract
 * leaves open comes first, the status before the media type: `reply["4XX"](422, body)`,
 * `reply.default.image(200, "image/png", bytes)`. `reply.raw` bypasses all of it.
 */
export function createReplies(operation: Operation): ReplyMethods {
  const { id, responses } = operation;
  const members = responses.map(({ status: key, mediaTypes }): [string, ReplyMember] => {
    const [single, ...more] = mediaTypes;
    if (more.length === 0) return [key, createReply(operation, key, single)];
    const named = mediaTypes.map(
      (mediaType) => [mediaType.methodName, createReply(operation, key, mediaType)] as const,
    );
    return [key, Object.freeze(Object.fromEntries(named))];
  });
  const raw = (send: RawSend) => new RawReply(id, send);
  return Object.freeze({ ...Object.fromEntries(members), raw });
}

/**
 * @param key Key of `responses`: a status code, a range or `default`.
 * @param declared Its media type or range; undefined without a body.
 */
function createReply(operation: Operation, key: string, declared: MediaType | undefined): ReplyMethod {
  const isCode = /^\d+$/.test(key);
  const code = Number(key);
  if (isCode && declared !== undefined && !isRange(declared.name)) {
    const mediaType = declared.name;
    const kind = toContentKind(declared);
    return (body: unknown, options?: Options) =>
      new Reply(operation.id, code, { mediaType, kind, body }, options?.headers ?? NO_HEADERS);
  }
  return (...parameters: unknown[]) => {
    const rest = [...parameters];
    const status = isCode ? code : (rest.shift() as number);
    if (!isCode) assertStatus(operation, { key, status, hasBody: declared !== undefined });
    const content = declared === undefined ? undefined : takeContent(declared, rest);
    const options = rest.shift() as Options | undefined;
    return new Reply(operation.id, status, content, options?.headers ?? NO_HEADERS);
  };
}

const NO_HEADERS = Object.freeze({});

interface OpenStatus {
  /** A range or `default`. */
  readonly key: string;
  readonly status: number;
  readonly hasBody: boolean;
}

/** Throws for statuses that cannot be sent. The types cannot exclude all of them, and the stack shows the handler's line. */
function assertStatus(operation: Operation, { key, status, hasBody }: OpenStatus): void {
  const refuse = (reason: string): never => {
    throw new TypeError(
      `reply[${JSON.stringify(key)}] of "${operation.id}" cannot send ${status}: ${reason}`,
    );
  };
  if (!Number.isInteger(status) || status < 200 || status > 599) refuse("it is not a response status");
  const declaring = findStatusKey(
    operation.responses.map((response) => response.status),
    status,
  );
  if (declaring === undefined) refuse("it is not in the range");
  else if (declaring !== key) refuse(`reply[${JSON.stringify(declaring)}] is for it`);
  if (hasBody && BODILESS.has(status)) refuse("it has no body, and this response has one");
}

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Takes the arguments that describe the content from the front of `rest`. */
function takeContent(declared: MediaType, rest: unknown[]): ReplyContent {
  const mediaType = isRange(declared.name) ? (rest.shift() as string) : declared.name;
  return { mediaType, kind: toContentKind(declared), body: rest.shift() };
}
