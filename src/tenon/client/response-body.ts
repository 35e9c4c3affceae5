import { coversEssence, isRange, toEssence, toReplyKind } from "../core/http/media-type.js";
import type { ClientOperation, HttpMethod, Status } from "./contract.js";
import { parseExactJson } from "./exact-json.js";

/** Characters of a body that a message repeats. */
const MAX_TOLD = 200;

/** The service, or something between it and the client, answered with a status that the contract does not declare. */
export class UndeclaredStatusError extends Error {
  override readonly name = "UndeclaredStatusError";

  constructor(
    readonly status: number,
    /** Its body is read already. */
    readonly response: Response,
    /** The body as text, so that it can be logged. */
    readonly body: string,
  ) {
    const told = body.length > MAX_TOLD ? `${body.slice(0, MAX_TOLD)}…` : body;
    super(`The contract declares no response ${status} here${told === "" ? "" : `: ${told}`}`);
  }
}

/** The body of an answer is not what the contract declares under its status, or cannot be kept exactly. */
export class UnreadableBodyError extends Error {
  override readonly name = "UnreadableBodyError";

  constructor(
    readonly status: number,
    /** Its body is read already. */
    readonly response: Response,
    why: string,
  ) {
    super(`The body of the response ${status} ${why}`);
  }
}

/**
 * Reads the body of an answer: JSON as a value, text as a string, anything else as a Blob; undefined where none is declared.
 * @throws {UndeclaredStatusError}
 * @throws {UnreadableBodyError}
 */
export async function readBody(
  response: Response,
  method: HttpMethod,
  { responses }: Pick<ClientOperation, "responses">,
): Promise<unknown> {
  const { status } = response;
  const declared = findDeclared(status, responses);
  if (declared === undefined) throw new UndeclaredStatusError(status, response, await response.text());
  if (declared.length === 0 || method === "head") {
    await response.body?.cancel();
    return undefined;
  }
  const contentType = response.headers.get("Content-Type") ?? declared[0] ?? "";
  if (!declared.some((mediaType) => covers(mediaType, contentType))) {
    await response.body?.cancel();
    throw new UnreadableBodyError(status, response, `is ${contentType}, and not ${declared.join(" or ")}`);
  }
  switch (toReplyKind(contentType)) {
    case "json":
      return parse(await response.text(), response);
    case "text":
      return response.text();
    case "binary":
      return response.blob();
  }
}

function parse(text: string, response: Response): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new UnreadableBodyError(response.status, response, (error as Error).message);
  }
}

/** Media types under the status, its range or `default`; undefined when there is none of them. */
function findDeclared(
  status: number,
  responses: ClientOperation["responses"],
): readonly string[] | undefined {
  const byStatus = new Map(
    responses.map((response): readonly [Status, readonly string[]] => {
      if (typeof response !== "object") return [response, ["application/json"]];
      const [key, ...mediaTypes] = response;
      return [key, mediaTypes];
    }),
  );
  return byStatus.get(status) ?? byStatus.get(`${String(status).charAt(0)}XX`) ?? byStatus.get("default");
}

/** JSON by any name is JSON. */
function covers(declared: string, actual: string): boolean {
  const [wanted, found] = [toEssence(declared), toEssence(actual)];
  if (coversEssence(wanted, found)) return true;
  return !isRange(wanted) && toReplyKind(wanted) === "json" && toReplyKind(found) === "json";
}
