import { findMediaType, toEssence, toReplyKind } from "../../core/http/media-type.js";
import type { HttpError, Violation } from "./http-error.js";
import { findResponse } from "../../core/http/status.js";
import type { Operation } from "../../core/model/index.js";
import { describeOperation, type OperationDescriptor } from "../contract/operation.js";
import type { ReplyContent } from "../response/reply.js";

/**
 * The content of an error response, from which the service creates its contract's error body.
 * @example
 * const toErrorBody = ({ code, message, status, violations }: Problem) => ({
 *   code,
 *   message,
 *   status,
 *   fields: violations?.map(({ path, text }) => `${path.join(".")} ${text}`),
 * });
 * app.use(createErrorHandler({ errorBody: toErrorBody }));
 */
export interface Problem {
  /** A key of `HTTP_ERRORS`, or the code of an `HttpError` of your own. */
  readonly code: string;
  readonly message: string;
  /** The HTTP status code. */
  readonly status: number;
  /** The invalid values, at most 100. Absent unless the request's values are invalid. */
  readonly violations?: readonly Violation[];
  /** Those of the `HttpError`. Absent unless it has any. */
  readonly details?: unknown;
}

/**
 * Creates the contract's error body for a problem.
 * @param operation The failed operation; undefined when the request has none, for example because of an unknown path.
 * @example
 * const errorBody: MakeErrorBody<{ code: string; detail: string }> = ({ code, message }, operation) => ({
 *   code,
 *   detail: operation === undefined ? message : `${operation.id}: ${message}`,
 * });
 * app.use(createErrorHandler({ errorBody }));
 */
export type MakeErrorBody<Body> = (problem: Problem, operation: OperationDescriptor | undefined) => Body;

export interface ErrorContentOptions {
  /** Creates the contract's error body: one function, or one per media type of errors. */
  readonly errorBody: MakeErrorBody<unknown> | Readonly<Record<string, MakeErrorBody<unknown>>>;
  /**
   * Media type of errors that have no operation, or whose operation does not declare their status.
   * Default: `application/json`.
   */
  readonly errorMediaType?: string;
}

/** Creates the content of an error response, in a media type that the operation declares for the status if there is one. */
export type ToErrorContent = (problem: Problem, operation?: Operation) => ReplyContent;

export function createErrorContent({ errorBody, errorMediaType }: ErrorContentOptions): ToErrorContent {
  const usual = errorMediaType ?? "application/json";
  const makers = new Map(
    Object.entries(typeof errorBody === "function" ? { [usual]: errorBody } : errorBody),
  );
  const usualMaker = makers.get(usual);
  if (usualMaker === undefined) throw new Error(`errorBody has no function for ${usual}`);

  const toForm = (mediaType: string): ErrorForm => ({
    mediaType,
    kind: toReplyKind(mediaType),
    make: makers.get(toEssence(mediaType)) ?? usualMaker,
  });
  const usualForm = toForm(usual);
  const known = new WeakMap<Operation, Map<number, ErrorForm>>();

  function findForm(operation: Operation, status: number): ErrorForm {
    const byStatus = known.get(operation) ?? new Map<number, ErrorForm>();
    known.set(operation, byStatus);
    const form = byStatus.get(status) ?? toForm(findOther(operation, status) ?? usual);
    byStatus.set(status, form);
    return form;
  }

  return (problem, operation) => {
    const { mediaType, kind, make } =
      operation === undefined ? usualForm : findForm(operation, problem.status);
    return { mediaType, kind, body: make(problem, operation && describeOperation(operation)) };
  };

  /** Finds a declared media type for a status that does not declare the default one. */
  function findOther(operation: Operation, status: number): string | undefined {
    const declared = findResponse(operation.responses, status)?.mediaTypes ?? [];
    if (findMediaType(declared, usual) !== undefined) return undefined;
    return declared.find(({ name }) => makers.has(toEssence(name)))?.name;
  }
}

/** Media type and body function for the errors of one status. */
interface ErrorForm extends Pick<ReplyContent, "mediaType" | "kind"> {
  readonly make: MakeErrorBody<unknown>;
}

/** Converts an error to what its response says. */
export function toProblem({ code, message, status, violations, details }: HttpError): Problem {
  return {
    code,
    message,
    status,
    ...(violations.length > 0 && { violations }),
    ...(details !== undefined && { details }),
  };
}
