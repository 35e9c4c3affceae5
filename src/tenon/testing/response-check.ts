import { readParts } from "../core/http/part-splitter.js";
import { parseItems } from "../core/http/item-parser.js";
import { findMediaType, toReplyKind } from "../core/http/media-type.js";
import { findResponse } from "../core/http/status.js";
import type { Contract, Response as DeclaredResponse, Items, Operation } from "../core/model/index.js";
import type { SchemaRegistry } from "../core/schema/index.js";
import type { ReplyHeaders } from "../runtime/http/send-whole.js";
import type { ReplyContent } from "../runtime/response/reply.js";
import { createValidatorCompiler, type OperationValidator } from "../runtime/validation/validator.js";

/** Maximum number of characters of a body in an error message. */
const MAX_SHOWN = 200;

/**
 * A response does not match the contract. `problems` lists every mismatch; the message also shows the start of the body.
 * @example
 * const tester = createTester<operations>(app, { ...generatedServer, ...generatedClient });
 * try {
 *   await tester.listPets();
 * } catch (error) {
 *   if (error instanceof UndeclaredResponseError) console.error(error.operationId, error.status, error.problems);
 *   else throw error;
 * }
 */
export class UndeclaredResponseError extends Error {
  override readonly name = "UndeclaredResponseError";

  constructor(
    readonly operationId: string,
    readonly status: number,
    readonly problems: readonly string[],
    call: string,
    body: string,
  ) {
    const shown = body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body;
    super(
      `${call}: the response ${status} does not match "${operationId}": ${problems.join("; ")}\n${shown}`,
    );
  }
}

/** @throws {UndeclaredResponseError} */
export type CheckResponse = (operation: Operation, request: Request, response: Response) => Promise<void>;

/** Creates a check of responses. The responses of an operation are compiled on its first call. */
export function createResponseCheck(contract: Contract): CheckResponse {
  const compile = createValidatorCompiler(contract);
  const validators = new Map<Operation, OperationValidator>();
  return async (operation, request, response) => {
    const validator = validators.get(operation) ?? compile(operation);
    validators.set(operation, validator);
    const { status } = response;
    const body = Buffer.from(await response.arrayBuffer());
    const text = body.toString();
    const declared = findResponse(operation.responses, status);
    const isHead = request.method === "HEAD";
    const reading = isHead ? undefined : toContent(declared, response.headers.get("content-type"), body);
    const headers = toHeaders(response, declared, contract.registry);
    const parts = { status, content: reading?.content, headers };
    const problems =
      reading?.problem === undefined
        ? [...validator.response(parts), ...validator.items(parts)].filter(
            (problem) => !isHead || problem !== "a body is required",
          )
        : [reading.problem];
    if (problems.length === 0) return;
    const { pathname, search } = new URL(request.url);
    throw new UndeclaredResponseError(
      operation.id,
      status,
      problems,
      `${request.method} ${pathname}${search}`,
      text,
    );
  };
}

interface Reading {
  readonly content?: ReplyContent;
  readonly problem?: string;
}

function toContent(
  declared: DeclaredResponse | undefined,
  contentType: string | null,
  body: Buffer,
): Reading | undefined {
  const text = body.toString();
  if (contentType === null) return text === "" ? undefined : { problem: "a body without Content-Type" };
  const mediaType = findMediaType(declared?.mediaTypes ?? [], contentType);
  if (mediaType?.items) return toItems(contentType, mediaType.items, body);
  const kind = toReplyKind(mediaType?.name ?? contentType);
  if (kind === "text") return { content: { mediaType: contentType, kind, body: text } };
  if (kind === "binary") return { content: { mediaType: contentType, kind, body } };
  try {
    return { content: { mediaType: contentType, kind, body: JSON.parse(text) as unknown } };
  } catch {
    return { problem: "the body is not JSON" };
  }
}

function toItems(mediaType: string, { format, events, parts }: Items, body: Buffer): Reading {
  try {
    const items = parts
      ? readParts(body, mediaType, parts.positions)
      : parseItems(body.toString(), format, events);
    return { content: { mediaType, kind: "items", body: items } };
  } catch (error) {
    if (parts) return { problem: `the parts of the body cannot be read: ${(error as Error).message}` };
    return { problem: "an item of the body is not JSON" };
  }
}

/** Converts the text of headers that are declared as numbers or booleans and have such a value. */
function toHeaders(
  { headers }: Response,
  declared: DeclaredResponse | undefined,
  registry: SchemaRegistry,
): ReplyHeaders {
  const schemas = new Map(declared?.headers.map(({ name, schema }) => [name.toLowerCase(), schema]));
  return Object.fromEntries(
    [...headers].map(([name, text]) => {
      const schema = schemas.get(name);
      const types = schema ? (registry.resolve(schema).type ?? []) : [];
      const isText = !types.some((type) => type === "integer" || type === "number" || type === "boolean");
      return [
        name,
        isText || !/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? text : (JSON.parse(text) as number),
      ];
    }),
  );
}
