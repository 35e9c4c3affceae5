import { isRange, toReplyKind } from "../../core/http/media-type.js";
import type { OperationDescriptor } from "../operation.js";
import type { WriteJson } from "./json-writer.js";
import { RawReply, type RawSend, Reply, type ReplyContent, type ReplyOptions } from "./reply.js";

type Options = ReplyOptions<
  Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
>;
type ReplyMethod = (...parameters: never[]) => Reply<string>;
type ReplyMember = ReplyMethod | Readonly<Record<string, ReplyMethod>>;
export type ReplyMethods = Readonly<Record<string, ReplyMember>>;

/**
 * The `reply` object of an operation: one method a declared status, `reply[200](body, options)`, without a body
 * `reply[204](options)`. Several media types under a status have a method each: `reply[200].csv(text)`. What the contract
 * leaves open comes first, the status before the media type: `reply["4XX"](422, body)`,
 * `reply.default.image(200, "image/png", bytes)`. `reply.raw` goes past all of it.
 */
export function createReplies(
  operation: OperationDescriptor,
  findWriter: FindWriter = () => undefined,
): ReplyMethods {
  const { id, responses } = operation;
  const members = Object.entries(responses).map(([key, { mediaTypes, methods }]): [string, ReplyMember] => {
    const [single] = mediaTypes;
    const create = (mediaType: string | undefined) =>
      createReply(
        operation,
        key,
        mediaType === undefined ? undefined : { mediaType, write: findWriter(key, mediaType) },
      );
    if (methods === undefined) return [key, create(single)];
    const named = methods.map((name, index) => [name, create(mediaTypes[index])] as const);
    return [key, Object.freeze(Object.fromEntries(named))];
  });
  const raw = (send: RawSend) => new RawReply(id, send);
  return Object.freeze({ ...Object.fromEntries(members), raw });
}

/** What writes the JSON of a response. @param key Of `responses`: a status code, a range or `default`. */
export type FindWriter = (key: string, mediaType: string) => WriteJson | undefined;

interface DeclaredContent {
  readonly mediaType: string;
  readonly write: WriteJson | undefined;
}

function createReply(
  operation: OperationDescriptor,
  key: string,
  declared: DeclaredContent | undefined,
): ReplyMethod {
  const isCode = /^\d+$/.test(key);
  const code = Number(key);
  if (isCode && declared !== undefined && !isRange(declared.mediaType)) {
    const { mediaType, write } = declared;
    const kind = toReplyKind(mediaType);
    return (body: unknown, options?: Options) =>
      new Reply(operation.id, code, { mediaType, kind, body, write }, options?.headers ?? NO_HEADERS);
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

/** The types cannot hold back every number; what could not be sent is told where the handler says it. */
function assertStatus(operation: OperationDescriptor, { key, status, hasBody }: OpenStatus): void {
  const refuse = (reason: string): never => {
    throw new TypeError(
      `reply[${JSON.stringify(key)}] of "${operation.id}" cannot send ${status}: ${reason}`,
    );
  };
  if (!Number.isInteger(status) || status < 200 || status > 599) refuse("it is no status of an answer");
  const declaring = responseKey(operation, status);
  if (declaring === undefined) refuse("it is not in the range");
  else if (declaring !== key) refuse(`reply[${JSON.stringify(declaring)}] is for it`);
  if (hasBody && BODILESS.has(status)) refuse("it has no body, and this response has one");
}

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Takes the parameters that say the content off the front of `rest`. */
function takeContent({ mediaType: declared, write }: DeclaredContent, rest: unknown[]): ReplyContent {
  const mediaType = isRange(declared) ? (rest.shift() as string) : declared;
  return { mediaType, kind: toReplyKind(declared), body: rest.shift(), write };
}

/** The key of `responses` that declares a status: the code itself, then its range, then `default`. */
export function responseKey({ responses }: OperationDescriptor, status: number): string | undefined {
  return [String(status), `${String(status).charAt(0)}XX`, "default"].find((key) => key in responses);
}
