import { toEssence, toReplyKind } from "../../core/http/media-type.js";
import type { HttpErrorCode, Violation } from "./http-error.js";
import { findDeclared, parseMediaType } from "../response/media-range.js";
import type { OperationDescriptor } from "../operation.js";
import { responseKey } from "../response/replies.js";
import type { ReplyContent } from "../response/reply.js";

/** What an error answer tells, before the service puts it into its contract's error body. */
export interface Problem {
  readonly code: HttpErrorCode;
  readonly message: string;
  /** The HTTP status code. */
  readonly status: number;
  /** What the message says of each value, where it says something of values; at most a hundred. */
  readonly violations?: readonly Violation[];
}

/**
 * Makes the contract's error body of a problem.
 * @param operation Whose error it is; undefined where a request has none, an unknown path for example.
 */
export type MakeErrorBody<Body> = (problem: Problem, operation: OperationDescriptor | undefined) => Body;

export interface ErrorContentOptions {
  /** Turns a problem into the contract's error body: one function, or one for each media type that errors have. */
  readonly errorBody: MakeErrorBody<unknown> | Readonly<Record<string, MakeErrorBody<unknown>>>;
  /**
   * Media type of errors without an operation, and of those whose operation declares nothing for their status.
   * Default: `application/json`.
   */
  readonly errorMediaType?: string;
}

/** The body of an error answer, in a media type that the operation declares for its status where there is one. */
export type ToErrorContent = (problem: Problem, operation?: OperationDescriptor) => ReplyContent;

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
  const known = new WeakMap<OperationDescriptor, Map<number, ErrorForm>>();

  function findForm(operation: OperationDescriptor, status: number): ErrorForm {
    const byStatus = known.get(operation) ?? new Map<number, ErrorForm>();
    known.set(operation, byStatus);
    const form = byStatus.get(status) ?? toForm(findOther(operation, status) ?? usual);
    byStatus.set(status, form);
    return form;
  }

  return (problem, operation) => {
    const { mediaType, kind, make } =
      operation === undefined ? usualForm : findForm(operation, problem.status);
    return { mediaType, kind, body: make(problem, operation) };
  };

  /** What the operation declares for a status where the usual media type is not among it. */
  function findOther(operation: OperationDescriptor, status: number): string | undefined {
    const key = responseKey(operation, status);
    const declared = key === undefined ? [] : (operation.responses[key]?.mediaTypes ?? []);
    const parsed = parseMediaType(usual);
    if (parsed !== undefined && findDeclared(declared, parsed) !== undefined) return undefined;
    return declared.find((name) => makers.has(toEssence(name)));
  }
}

/** How the errors of one status are written. */
interface ErrorForm extends Pick<ReplyContent, "mediaType" | "kind"> {
  readonly make: MakeErrorBody<unknown>;
}
