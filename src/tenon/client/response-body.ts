import { coversEssence, isRange, toEssence, toReplyKind } from "../core/http/media-type.js";
import type { HttpMethod } from "../core/http/methods.js";
import type { ClientOperation } from "./contract.js";
import { discard, readBlob, readText } from "./streams/items.js";
import type { Reconnection } from "./streams/reconnect.js";
import { findStatusKey } from "../core/http/status.js";
import { parseExactJson } from "../core/json/parse-exact-json.js";

/** Maximum number of characters of a body in an error message. */
const MAX_SHOWN = 200;

/** Bytes of the body of an undeclared response that are read. */
const MAX_UNDECLARED = 65_536;

/**
 * The response has a status that the contract does not declare. The service sent it, or a proxy in front of it.
 * @example
 * try {
 *   await client.listPets();
 * } catch (error) {
 *   if (error instanceof UndeclaredStatusError) console.error(error.status, error.body);
 *   else throw error;
 * }
 */
export class UndeclaredStatusError extends Error {
  override readonly name = "UndeclaredStatusError";
  readonly status: number;

  constructor(
    /** The `operationId`. */
    readonly operationId: string,
    /** The response, whose body is already read. */
    readonly response: Response,
    /** The first 64 KiB of the body as text, for the log. */
    readonly body: string,
  ) {
    const { status } = response;
    const shown = body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body;
    super(
      `The contract does not declare the response ${status} of ${operationId}${shown === "" ? "" : `: ${shown}`}`,
    );
    this.status = status;
  }
}

/**
 * The body of a response is not of a declared media type, is not valid JSON, has a number that JavaScript cannot represent exactly, or
 * is larger than the client's `maxBody`.
 * @example
 * try {
 *   await client.listPets();
 * } catch (error) {
 *   if (error instanceof UnreadableBodyError) console.error(error.status, error.message);
 *   else throw error;
 * }
 */
export class UnreadableBodyError extends Error {
  override readonly name = "UnreadableBodyError";
  readonly status: number;

  constructor(
    /** The `operationId`. */
    readonly operationId: string,
    /** The response, whose body is already read. */
    readonly response: Response,
    why: string,
  ) {
    super(`The body of the response ${response.status} of ${operationId} ${why}`);
    this.status = response.status;
  }
}

/**
 * Reads the body of a response: items one by one, JSON as a value, text as a string, anything else as a Blob or a stream of bytes;
 * undefined when none is declared.
 * @throws {UndeclaredStatusError}
 * @throws {UnreadableBodyError}
 */
export async function readBody(
  response: Response,
  method: HttpMethod,
  { id, responses, items = {}, parts, readParts, readItems, readBytes }: ClientOperation,
  stream: Reconnection,
  parseAs?: "stream",
): Promise<unknown> {
  const { status } = response;
  const declared = findDeclared(status, responses);
  if (declared === undefined) {
    const { text } = await readText(response, { ...stream, maxBody: MAX_UNDECLARED });
    throw new UndeclaredStatusError(id, response, text);
  }
  if (declared.length === 0 || method === "head") {
    discard(response);
    return undefined;
  }
  const contentType = response.headers.get("Content-Type") ?? declared[0] ?? "";
  if (!declared.some((mediaType) => covers(mediaType, contentType))) {
    discard(response);
    throw new UnreadableBodyError(id, response, `is ${contentType}; expected ${declared.join(" or ")}`);
  }
  const positions = Object.entries(parts?.received ?? {}).find(([name]) => covers(name, contentType))?.[1];
  if (positions !== undefined && readParts !== undefined) return readParts(response, positions, stream);
  const kinds = Object.entries(items).find(([mediaType]) => covers(mediaType, contentType))?.[1];
  if (kinds !== undefined && readItems !== undefined) return readItems(response, { ...stream, kinds });
  switch (toReplyKind(contentType)) {
    case "json":
      return parse(await readWhole(response, stream), response, id);
    case "text":
      return readWhole(response, stream);
    case "binary":
      return (
        (await (readBytes ?? readBlobOnly)(response, stream, parseAs)) ??
        Promise.reject(toTooLarge(response, stream))
      );
  }
}

function readBlobOnly(response: Response, stream: Reconnection): Promise<Blob | undefined> {
  const type = response.headers.get("Content-Type") ?? "";
  return response.body ? readBlob(response.body, type, stream) : response.blob();
}

async function readWhole(response: Response, stream: Reconnection): Promise<string> {
  const { text, isWhole } = await readText(response, stream);
  if (!isWhole) throw toTooLarge(response, stream);
  return text;
}

function toTooLarge(response: Response, { maxBody, operationId }: Reconnection): UnreadableBodyError {
  const why = `has more than ${maxBody} bytes; the client's option \`maxBody\` sets the limit`;
  return new UnreadableBodyError(operationId, response, why);
}

function parse(text: string, response: Response, operationId: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new UnreadableBodyError(operationId, response, (error as Error).message);
  }
}

/**
 * Creates the `Accept` header of an operation whose successes are all streams of items: servers choose between a stream and a whole by it.
 * Its errors have other media types.
 */
export function toAccept({ responses, items = {} }: ClientOperation): string | undefined {
  const byStatus = listDeclared(responses);
  const successes = [...byStatus].filter(([status]) => status.startsWith("2")).flatMap(([, types]) => types);
  const isStream = successes.length > 0 && successes.every((mediaType) => mediaType in items);
  return isStream ? [...new Set(successes), "*/*;q=0.1"].join(", ") : undefined;
}

/** Finds the media types of the status, its range or `default`; undefined when the status is undeclared. */
function findDeclared(
  status: number,
  responses: ClientOperation["responses"],
): readonly string[] | undefined {
  const byStatus = listDeclared(responses);
  return byStatus.get(findStatusKey(byStatus.keys(), status) ?? "");
}

/** Lists the media types of each declared status. */
function listDeclared(responses: ClientOperation["responses"]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    responses.map((response): readonly [string, readonly string[]] => {
      if (typeof response !== "object") return [String(response), ["application/json"]];
      const [key, ...mediaTypes] = response;
      return [String(key), mediaTypes];
    }),
  );
}

/** Any JSON media type covers any other. */
function covers(declared: string, actual: string): boolean {
  const [wanted, found] = [toEssence(declared), toEssence(actual)];
  if (coversEssence(wanted, found)) return true;
  return !isRange(wanted) && toReplyKind(wanted) === "json" && toReplyKind(found) === "json";
}
