import type { ReplyHeaders } from "../http/send-whole.js";

/**
 * The status and the default message of every HTTP error that the runtime throws, and of `forbidden`, which only services throw.
 * Codes are stable and never reused. A service uses codes of its own, such as `pet_not_found`, in its handlers' replies.
 * @example
 * const { status, message } = HTTP_ERRORS.not_found;
 * app.use((_request, response) => {
 *   response.status(status).json({ code: "not_found", message, status });
 * });
 */
export const HTTP_ERRORS = {
  malformed_request: { status: 400, message: "The request is not valid HTTP" },
  malformed_json: { status: 400, message: "The body is not JSON" },
  invalid_parameter: { status: 400, message: "A parameter has a value that the contract does not allow" },
  invalid_body: { status: 400, message: "The body has a value that the contract does not allow" },
  unauthorized: { status: 401, message: "A credential is required" },
  forbidden: { status: 403, message: "The credential does not allow this" },
  not_found: { status: 404, message: "There is no such path" },
  method_not_allowed: { status: 405, message: "The path does not have this method" },
  not_acceptable: { status: 406, message: "None of the accepted media types can be served" },
  request_timeout: { status: 408, message: "The request took too long to arrive" },
  gone: { status: 410, message: "This operation has been removed" },
  content_too_large: { status: 413, message: "The body is too large" },
  uri_too_long: { status: 414, message: "The request target is too long" },
  unsupported_media_type: {
    status: 415,
    message: "The body's media type, charset or encoding is not supported",
  },
  range_not_satisfiable: { status: 416, message: "The range is outside of the content" },
  expectation_failed: {
    status: 417,
    message: "The Expect header names an expectation other than 100-continue",
  },
  too_many_requests: { status: 429, message: "Too many requests" },
  headers_too_large: { status: 431, message: "The request's headers are too large" },
  internal_error: { status: 500, message: "The service failed to process this request" },
  not_implemented: { status: 501, message: "This operation is not implemented yet" },
  unavailable: { status: 503, message: "The service is unavailable; try again later" },
  http_version_not_supported: { status: 505, message: "The server supports HTTP/1.0 and HTTP/1.1" },
} as const satisfies Record<string, { status: number; message: string }>;

/**
 * The code of an HTTP error, a key of {@link HTTP_ERRORS}.
 * @example
 * const code: HttpErrorCode = "too_many_requests";
 * throw new HttpError(code, { headers: { "Retry-After": "60" } });
 */
export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/**
 * A phase of a request. `http` is everything before the runtime searches the operation.
 * @example
 * const counts = new Map<Phase, number>();
 * const onFailure = ({ phase }: Failure) => {
 *   counts.set(phase, (counts.get(phase) ?? 0) + 1);
 * };
 * app.use(createApi({ ...errors, onFailure, handlers, authenticators }));
 */
export type Phase = "http" | "match" | "authentication" | "request" | "handler" | "response";

/**
 * An invalid value of a request, for programs. A form can show each violation beside its field.
 * @example
 * const violation: Violation = { in: "query", path: ["limit"], text: "must be at most 100" };
 * throw new HttpError("invalid_parameter", {
 *   message: `Query parameter "limit" ${violation.text}`,
 *   violations: [violation],
 * });
 */
export interface Violation {
  readonly in: "path" | "query" | "header" | "cookie" | "body";
  /** Name of the parameter or body property, then names and indexes inside its value. Empty for the whole body. */
  readonly path: readonly string[];
  /** A phrase that follows the name of the value: `must be at most 50`. */
  readonly text: string;
}

/**
 * The options of an {@link HttpError}.
 * @example
 * const options: HttpErrorOptions = { message: "The store is read-only", headers: { "Retry-After": "30" } };
 * throw new HttpError("unavailable", options);
 */
export interface HttpErrorOptions {
  /** Message that is sent to the caller. Default: the message of the code. */
  readonly message?: string;
  /** Values by name, with the contract's types; a list is sent as several headers. */
  readonly headers?: ReplyHeaders;
  /** Default: none. */
  readonly violations?: readonly Violation[];
  /** The original error, for the log. Never sent to the caller. */
  readonly cause?: unknown;
  /** Anything else that `errorBody` puts into the body. Default: none. */
  readonly details?: unknown;
}

/**
 * The options of an {@link HttpError} with a status of your own.
 * @example
 * const options: OwnErrorOptions = { code: "name_taken", message: "Another pet has this name" };
 * throw new HttpError(409, options);
 */
export interface OwnErrorOptions extends HttpErrorOptions {
  /** A code of the service. */
  readonly code: string;
  readonly message: string;
}

/**
 * An error that the runtime turns into a response. Its message is sent to the caller; its `cause` is only logged.
 *
 * With a code of {@link HTTP_ERRORS}, any operation can respond with it. With a status from 400 to 599, the operation that is running must
 * declare it: the body that `errorBody` creates is validated like a reply, and an undeclared status becomes a 500.
 * @example
 * throw new HttpError("forbidden", { message: "This key cannot read reports" });
 * @example
 * throw new HttpError(409, { code: "name_taken", message: "Another pet has this name" });
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** A key of {@link HTTP_ERRORS}, or a code of the service. */
  readonly code: string;
  readonly headers: ReplyHeaders;
  readonly violations: readonly Violation[];
  readonly details: unknown;
  /** True if the operation must declare the status. */
  readonly isOwn: boolean;

  constructor(code: HttpErrorCode, options?: HttpErrorOptions);
  /** @throws {RangeError} when the status is not a whole number from 400 to 599. */
  constructor(status: number, options: OwnErrorOptions);
  constructor(kind: HttpErrorCode | number, options: HttpErrorOptions & { readonly code?: string } = {}) {
    super(options.message ?? (typeof kind === "string" ? HTTP_ERRORS[kind].message : ""), options);
    this.isOwn = typeof kind === "number";
    this.status = typeof kind === "number" ? kind : HTTP_ERRORS[kind].status;
    this.code = typeof kind === "number" ? (options.code ?? "") : kind;
    this.headers = options.headers ?? {};
    this.violations = options.violations ?? [];
    this.details = options.details;
    if (!Number.isInteger(this.status) || this.status < 400 || this.status > 599)
      throw new RangeError(`The status of an HttpError must be from 400 to 599, found ${this.status}`);
  }

  /** True for a deliberate refusal, such as a 401 or a 501; false when the service failed. A refusal has no `cause`. */
  get isRefusal(): boolean {
    return this.code !== "internal_error" && this.cause === undefined;
  }

  /**
   * Creates an error without a stack, for invalid requests. Capturing a stack would take longer than the rest of the response,
   * and would only show where the runtime refuses requests.
   */
  static refusal(code: HttpErrorCode, options?: HttpErrorOptions): HttpError {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return new HttpError(code, options);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}

/** Creates the refusal of a request that may be sent again in a second. */
export function unavailable(): HttpError {
  return HttpError.refusal("unavailable", { headers: { "Retry-After": "1" } });
}
