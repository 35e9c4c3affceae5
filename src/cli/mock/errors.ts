import { isRange, toEssence, toReplyKind } from "tenon/core/http/media-type";
import { STATUS_CODES } from "node:http";
import type { ContractDocument } from "tenon/runtime/contract-document";
import type { ErrorContentOptions, Problem } from "tenon/runtime/errors/error-content";
import type { OperationDescriptor } from "tenon/runtime/operation";
import { responseKey } from "tenon/runtime/response/replies";
import { isObject, type Schema } from "../values/schema.js";
import type { Mock } from "./create-mock.js";
import { readResponses } from "./declared.js";
import { toSeed } from "./values.js";

type Body = Readonly<Record<string, unknown>>;

/** A media type of errors, with its schema. */
interface Form {
  readonly mediaType: string;
  readonly schema: Schema;
}

/**
 * How the runtime's own errors are written in a contract's words: as the response that the operation declares for their status, or
 * else as errors of this contract mostly are, with what happened where the body has a member for it.
 */
export function createErrors(
  document: ContractDocument,
  operations: readonly OperationDescriptor[],
  { responses: book, tryValues, findAnswers }: Mock,
): ErrorContentOptions {
  const forms = operations.flatMap((operation) => {
    const hasSuccess = Object.keys(operation.responses).some((key) => key.startsWith("2"));
    return readResponses(document, operation, book)
      .filter(({ status }) => /^[45]/.test(status) || (status === "default" && hasSuccess))
      .flatMap(({ content }) => content.filter(({ mediaType }) => isWritable(mediaType)));
  });
  const usual = findUsual(forms);
  const [undeclared] = tryValues(usual.schema, 0, false);

  const makeBody = (mediaType: string) => (problem: Problem, operation: OperationDescriptor | undefined) => {
    if (toReplyKind(mediaType) === "text") return problem.message;
    const declared = operation && makeDeclared(mediaType, problem, operation);
    return declared ?? (isObject(undeclared) ? tell(undeclared, problem, () => true) : toPlain(problem));
  };

  /** Undefined where the operation declares nothing that fits. */
  function makeDeclared(
    mediaType: string,
    problem: Problem,
    operation: OperationDescriptor,
  ): Body | undefined {
    const { status } = problem;
    const key = responseKey(operation, status);
    const answers = findAnswers(operation);
    const declared = answers?.responses.find((response) => response.status === key);
    const form = declared?.content.find((content) => toEssence(content.mediaType) === mediaType);
    if (answers === undefined || key === undefined || form === undefined) return undefined;
    const seed = toSeed(operation.id, status);
    const answer = tryMake(() =>
      answers.make({ key, status, accepts: [form.mediaType], dynamic: false, seed }),
    );
    const { content } = answer ?? {};
    if (answer === undefined || content === undefined || !isObject(content.body)) return undefined;
    return tell(content.body, problem, (body) =>
      answers.isGood({ ...answer, content: { ...content, body } }),
    );
  }

  const mediaTypes = new Set([usual.mediaType, ...forms.map(({ mediaType }) => toEssence(mediaType))]);
  return {
    errorBody: Object.fromEntries([...mediaTypes].map((mediaType) => [mediaType, makeBody(mediaType)])),
    errorMediaType: usual.mediaType,
  };
}

function isWritable(mediaType: string): boolean {
  return !isRange(mediaType) && toReplyKind(mediaType) !== "binary";
}

/** The form that most responses of JSON have. */
function findUsual(forms: readonly Form[]): Form {
  const counts = new Map<string, { readonly form: Form; count: number }>();
  for (const { mediaType, schema } of forms) {
    if (toReplyKind(mediaType) !== "json") continue;
    const form = { mediaType: toEssence(mediaType), schema };
    const key = JSON.stringify(form);
    const known = counts.get(key) ?? { form, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  return most?.form ?? { mediaType: "application/json", schema: false };
}

function toPlain({ code, message, status }: Problem): Body {
  return { code, message, status };
}

/** No valid body can be made: the usual one is sent all the same, as an answer must be. */
function tryMake<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Puts what happened into the members that bodies of errors have for it, each where the body stays valid. */
function tell(body: Body, problem: Problem, isGood: (body: Body) => boolean): Body {
  let told = body;
  for (const [name, value] of Object.entries(toMembers(problem))) {
    const changed = { ...told, [name]: value };
    if (typeof told[name] === typeof value && isGood(changed)) told = changed;
  }
  const { error } = told;
  if (!isObject(error)) return told;
  return { ...told, error: tell(error, problem, (inner) => isGood({ ...told, error: inner })) };
}

function toMembers({ code, message, status }: Problem): Body {
  return {
    code,
    status,
    statusCode: status,
    title: STATUS_CODES[status] ?? code,
    message,
    detail: message,
    description: message,
    error_description: message,
    error: message,
  };
}
