import { toReplyKind } from "../core/http/media-type.js";
import { type ContractDocument, readContract } from "../runtime/contract-document.js";
import { type EnforcedResponses, enforceResponses } from "../runtime/validation/enforced-contract.js";
import { findDeclared, parseMediaType } from "../runtime/response/media-range.js";
import type { OperationDescriptor } from "../runtime/operation.js";
import { responseKey } from "../runtime/response/replies.js";
import type { ReplyContent, ReplyHeaders } from "../runtime/response/reply.js";
import { createValidatorCompiler, type OperationValidator } from "../runtime/validation/validator.js";

/** Characters of a body that a message repeats. */
const MAX_TOLD = 200;

/** An answer is not as the contract declares it. */
export class UndeclaredAnswerError extends Error {
  override readonly name = "UndeclaredAnswerError";

  constructor(
    readonly operationId: string,
    readonly status: number,
    readonly problems: readonly string[],
    call: string,
    body: string,
  ) {
    const told = body.length > MAX_TOLD ? `${body.slice(0, MAX_TOLD)}…` : body;
    super(
      `${call} was answered ${status}, and not as "${operationId}" declares: ${problems.join("; ")}\n${told}`,
    );
  }
}

/** @throws {UndeclaredAnswerError} */
export type AnswerCheck = (
  operation: OperationDescriptor,
  request: Request,
  response: Response,
) => Promise<void>;

/** Compiles the responses of a contract; those of one operation when it is called for the first time. */
export function createAnswerCheck(contractUrl: URL, operations: readonly OperationDescriptor[]): AnswerCheck {
  const document: ContractDocument = readContract(contractUrl);
  const compile = createValidatorCompiler(document, operations);
  const declared = enforceResponses(document, operations).operations;
  const validators = new Map<OperationDescriptor, OperationValidator>();
  return async (operation, request, response) => {
    const validator = validators.get(operation) ?? compile(operation);
    validators.set(operation, validator);
    const { status } = response;
    const text = await response.text();
    const key = responseKey(operation, status);
    const isHead = request.method === "HEAD";
    const reading = isHead
      ? undefined
      : toContent(operation, key, response.headers.get("content-type"), text);
    const problems =
      reading?.problem === undefined
        ? validator
            .response({
              status,
              content: reading?.content,
              headers: toHeaders(response, declared.get(operation), key),
            })
            .filter((problem) => !isHead || problem !== "a body is required")
        : [reading.problem];
    if (problems.length === 0) return;
    const { pathname, search } = new URL(request.url);
    throw new UndeclaredAnswerError(
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
  { responses }: OperationDescriptor,
  key: string | undefined,
  contentType: string | null,
  text: string,
): Reading | undefined {
  if (contentType === null) return text === "" ? undefined : { problem: "a body without Content-Type" };
  const parsed = parseMediaType(contentType);
  const mediaTypes = key === undefined ? [] : (responses[key]?.mediaTypes ?? []);
  const name = parsed && findDeclared(mediaTypes, parsed);
  const kind = toReplyKind(name ?? contentType);
  if (kind === "text") return { content: { mediaType: contentType, kind, body: text } };
  if (kind === "binary") return { content: { mediaType: contentType, kind, body: Buffer.from(text) } };
  try {
    return { content: { mediaType: contentType, kind, body: JSON.parse(text) as unknown } };
  } catch {
    return { problem: "the body is no JSON" };
  }
}

/** Headers come as text; what is declared as a number or a boolean is made one, where it says one. */
function toHeaders(
  { headers }: Response,
  declared: EnforcedResponses | undefined,
  key: string | undefined,
): ReplyHeaders {
  const schemas = key === undefined ? undefined : declared?.get(key)?.headers;
  return Object.fromEntries(
    [...headers].map(([name, text]) => {
      const types = [schemas?.get(name)?.schema["type"]].flat();
      const isText = !types.some((type) => type === "integer" || type === "number" || type === "boolean");
      return [
        name,
        isText || !/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? text : (JSON.parse(text) as number),
      ];
    }),
  );
}
