import { isNode, type Node } from "tenon/core/document";
import { isRange, toEssence, toReplyKind } from "tenon/core/http";
import {
  type Example,
  type Items,
  type MediaType,
  type Operation,
  type ResponseHeader,
  toContentKind,
  toItemList,
} from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import { HttpError, type ReplyContent, type ReplyHeaders, type Unhandled } from "tenon/runtime/portable";
import { explainTooLarge } from "../values/index.js";
import { type Chosen, toStatus } from "./choose-response.js";
import { makeSentence, type TryValues } from "./try-values.js";

/** The response that a request asks for. */
export interface Wanted extends Chosen {
  /** Media types that the request accepts, the preferred one first. */
  readonly accepts: readonly string[];
  /** Name of one of the response's examples. */
  readonly example?: string | undefined;
  /** Generates the body even where there are examples. */
  readonly dynamic: boolean;
  readonly seed: number;
}

export interface MockResponse {
  readonly status: number;
  readonly content: ReplyContent | undefined;
  readonly headers: ReplyHeaders;
}

/** An example that does not match its schema and is therefore never sent. */
export interface BadExample {
  readonly operation: Operation;
  /** JSON pointer in the bundled document. */
  readonly pointer: string;
  readonly problems: readonly string[];
}

/** Makes the responses of one operation. */
export interface ResponseMaker {
  /**
   * Makes a response that the contract declares.
   * @throws {HttpError} `not_found` when there is no such example, `internal_error` when no valid response can be made.
   */
  make(wanted: Wanted): MockResponse;
  isValid(response: MockResponse): boolean;
}

/** @param onBadExample Called for each invalid example before the first response. */
export function createResponseMaker(
  unhandled: Unhandled,
  tryValues: TryValues,
  onBadExample: (bad: BadExample) => void,
): ResponseMaker {
  const { operation, contract, check } = unhandled;
  const bad = new Map<Example, readonly string[]>();
  const isValid = (response: MockResponse): boolean => check(response).length === 0;

  for (const response of operation.responses) {
    const status = toStatus(operation, response);
    if (status === undefined) continue;
    const headers = makeHeaders({ response, status }, 0, unhandled, tryValues);
    for (const mediaType of response.mediaTypes) {
      for (const example of mediaType.examples) {
        if (mediaType.items !== undefined && !Array.isArray(example.value)) {
          // The text of a whole stream.
          bad.set(example, ["it is not a list of items"]);
          continue;
        }
        const problems = check({ status, headers, content: toContent(mediaType, example.value) });
        if (problems.length === 0) continue;
        bad.set(example, problems);
        onBadExample({ operation, pointer: example.pointer, problems });
      }
    }
  }

  function make({ response, status, accepts, example, dynamic, seed }: Wanted): MockResponse {
    const headers = makeHeaders({ response, status }, seed, unhandled, tryValues);
    // The declared media type that the request prefers, else JSON, else the first one.
    const { mediaTypes } = response;
    const accepted = accepts.flatMap((name) => mediaTypes.find((mediaType) => mediaType.name === name) ?? []);
    const mediaType = accepted[0] ?? findJson(mediaTypes) ?? mediaTypes[0];
    if (mediaType === undefined) {
      if (example !== undefined) throw noExample(example, []);
      return { status, headers, content: undefined };
    }
    const chosen = chooseExample(mediaType, example, dynamic);
    if (chosen !== undefined) {
      const made = { status, headers, content: toContent(mediaType, chosen.value) };
      return example === undefined ? withStatus(made, isValid) : made;
    }
    let problems: readonly string[] = [];
    for (const value of listValues(mediaType, seed, dynamic)) {
      const made = { status, headers, content: toContent(mediaType, value) };
      problems = check(made);
      if (problems.length === 0) return withStatus(made, isValid);
    }
    const reasons = [...explainParts(response, mediaType), ...problems];
    throw new HttpError("internal_error", {
      message:
        `Cannot generate a valid ${status} response of "${operation.id}"; add an example to the response` +
        (reasons.length === 0 ? "" : ` (${reasons.join("; ")})`),
    });
  }

  /** Explains which parts of a response are too large to be generated. */
  function explainParts({ headers }: Chosen["response"], { schema }: MediaType): readonly string[] {
    return [schema, ...headers.map((header) => header.schema)].flatMap(
      (one) => (one && explainTooLarge(one, { registry: contract.registry, side: "response" })) ?? [],
    );
  }

  /** Undefined where the body is generated. */
  function chooseExample(
    { name, examples }: MediaType,
    wanted: string | undefined,
    dynamic: boolean,
  ): Example | undefined {
    if (wanted === undefined) return dynamic ? undefined : examples.find((one) => !bad.has(one));
    const found = examples.find((one) => one.name === wanted);
    if (found === undefined) throw noExample(wanted, examples);
    const problems = bad.get(found);
    if (problems === undefined) return found;
    throw notFound(`Example "${wanted}" of ${name} is not valid and is not sent: ${problems.join("; ")}`);
  }

  function* listValues(mediaType: MediaType, seed: number, dynamic: boolean): Iterable<unknown> {
    const { name, schema, items } = mediaType;
    if (items !== undefined) {
      const [values = []] = tryValues(toList(items), seed, dynamic);
      yield values;
      return;
    }
    if (toReplyKind(name) === "json") {
      yield* tryValues(schema, seed, dynamic);
      return;
    }
    const sentence = makeSentence(seed);
    const [value] = schema === undefined ? [] : tryValues(schema, seed, dynamic);
    yield toDocument(name, sentence) ?? (typeof value === "string" ? value : sentence);
  }

  return { make, isValid };
}

/** Writes the status into the members of an error that have it: the example of a schema is one for all errors. */
function withStatus(made: MockResponse, isValid: ResponseMaker["isValid"]): MockResponse {
  const { status, content } = made;
  if (status < 400 || content === undefined || !isNode(content.body)) return made;
  const toMade = (body: Node) => ({ ...made, content: { ...content, body } });
  return toMade(setMembers(content.body, { status, statusCode: status }, (body) => isValid(toMade(body))));
}

/** Replaces members of an error body, and of its `error`, by values of the same type, each where the body stays valid. */
export function setMembers(body: Node, members: Node, isValid: (body: Node) => boolean): Node {
  let described = body;
  for (const [name, value] of Object.entries(members)) {
    const changed = { ...described, [name]: value };
    if (typeof described[name] === typeof value && isValid(changed)) described = changed;
  }
  const { error } = described;
  if (!isNode(error)) return described;
  return {
    ...described,
    error: setMembers(error, members, (inner) => isValid({ ...described, error: inner })),
  };
}

export function withoutMember(body: Node, member: string): Node {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
}

/** A list of a few items. */
function toList(items: Items): Schema {
  if (items.parts?.whole) return items.parts.whole;
  const count = 3 + (items.parts?.prefix.length ?? 0);
  const list = toItemList(items);
  return list.items?.never === true ? list : { ...list, minItems: count, maxItems: count };
}

function noExample(wanted: string, examples: readonly Example[]): HttpError {
  const known = examples.map(({ name }) => name).join(", ");
  return notFound(`The response has no example "${wanted}"; it has ${known === "" ? "none" : known}`);
}

function notFound(message: string): HttpError {
  return HttpError.refusal("not_found", { message });
}

export function findJson(mediaTypes: readonly MediaType[]): MediaType | undefined {
  return mediaTypes.find(({ name }) => toReplyKind(name) === "json");
}

/** A transparent picture of one pixel. */
const PIXEL = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

/** A well-known media type of each range. */
const MEMBERS: Readonly<Record<string, string>> = {
  "*/*": "application/octet-stream",
  "application/*": "application/octet-stream",
  "audio/*": "audio/mpeg",
  "image/*": "image/png",
  "text/*": "text/plain",
  "video/*": "video/mp4",
};

/**
 * Converts a value to the content of a media type: JSON and text as they are, bytes from a string or as they are.
 * @param declared May be a range.
 */
function toContent(declared: MediaType, value: unknown): ReplyContent {
  const kind = toContentKind(declared);
  const mediaType = toConcrete(declared.name);
  if (kind !== "binary" || value instanceof Uint8Array) return { mediaType, kind, body: value };
  return { mediaType, kind, body: new TextEncoder().encode(String(value)) };
}

/** A minimal document of a format that schemas do not describe. Undefined where any text is valid. */
function toDocument(declared: string, sentence: string): string | Uint8Array | undefined {
  const essence = toEssence(toConcrete(declared));
  if (essence === "image/png") return PIXEL;
  if (essence === "text/html") return `<!doctype html><title>Mock</title><p>${sentence}</p>`;
  return /[/+]xml$/.test(essence) ? `<mock>${sentence}</mock>` : undefined;
}

function toConcrete(declared: string): string {
  const range = toEssence(declared);
  return isRange(declared) ? (MEMBERS[range] ?? range.replace("*", "vnd.mock")) : declared;
}

/** Combinations of values to try. */
const TRIES = 50;

/**
 * Makes the headers of a response. A success has only the required ones, because an optional header, such as a `Link` to the next
 * page, describes something that the mock does not have. Other responses have all: callers act on `Retry-After` or `Location`.
 */
function makeHeaders(
  { response, status }: Chosen,
  seed: number,
  { check, headers: fixed }: Unhandled,
  tryValues: TryValues,
): ReplyHeaders {
  const taken = new Set(["content-type", ...Object.keys(fixed).map((name) => name.toLowerCase())]);
  const wanted = response.headers.filter(
    ({ name, required }) => (required || status >= 300) && !taken.has(name.toLowerCase()),
  );
  if (wanted.length === 0) return {};
  const values = wanted.map((header) => listHeaderValues(header, seed, tryValues));
  let headers: ReplyHeaders = {};
  for (let count = 0; count < TRIES; count += 1) {
    headers = Object.fromEntries(
      wanted.map(({ name }, index): [string, ReplyHeaders[string]] => [name, values[index]?.next().value]),
    );
    // The body is missing, so only problems of headers count.
    if (!check({ status, headers, content: undefined }).some((problem) => problem.startsWith("header ")))
      break;
  }
  return headers;
}

/** Endless: repeats the last value. */
function* listHeaderValues(
  { schema, examples }: ResponseHeader,
  seed: number,
  tryValues: TryValues,
): Generator<ReplyHeaders[string], never> {
  let last: ReplyHeaders[string];
  for (const { value } of examples) if (isSendable(value)) yield (last = value);
  for (const value of tryValues(schema, seed, false)) if (isSendable(value)) yield (last = value);
  for (;;) yield last;
}

function isSendable(value: unknown): value is string | number | boolean | readonly string[] {
  if (typeof value === "string") return /^[\t\x20-\x7e]*$/.test(value);
  if (Array.isArray(value)) return value.every((item) => typeof item === "string" && isSendable(item));
  return typeof value === "number" || typeof value === "boolean";
}
