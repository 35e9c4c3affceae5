/**
 * Every HTTP error that the runtime raises, and `forbidden`, which only services can tell: its status, and a fixed text where the
 * message could otherwise tell too much.
 * Codes are stable and never reused. A service adds its own (such as `pet_not_found`) in its handlers' replies.
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
  expectation_failed: {
    status: 417,
    message: "The Expect header names an expectation other than 100-continue",
  },
  too_many_requests: { status: 429, message: "Too many requests" },
  headers_too_large: { status: 431, message: "The request's headers are too large" },
  internal_error: { status: 500, message: "The service failed to answer this request" },
  not_implemented: { status: 501, message: "This operation is not implemented yet" },
  unavailable: { status: 503, message: "The service cannot answer now; try again later" },
} as const satisfies Record<string, { status: number; message: string }>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** Which step of a request failed: `http` is everything before an operation was looked for. */
export type Phase = "http" | "match" | "authentication" | "request" | "handler" | "response";

/** What the contract does not allow of a request, for programs: a form that shows each problem beside its field, for example. */
export interface Violation {
  readonly in: "path" | "query" | "header" | "cookie" | "body";
  /** The parameter's name, or that of a property of the body, then names and indexes within; empty for the whole body. */
  readonly path: readonly string[];
  /** Completes the name of the value to a sentence: `must be at most 50`. */
  readonly text: string;
}

export interface HttpErrorOptions {
  /** What happened, safe to show to the caller. Default: the code's text. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly violations?: readonly Violation[];
  /** Kept for the log, never shown. */
  readonly cause?: unknown;
}

/** An error with the answer it becomes. Its message is shown to the caller; `cause` is not. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly violations: readonly Violation[];

  constructor(
    readonly code: HttpErrorCode,
    options: HttpErrorOptions = {},
  ) {
    super(options.message ?? HTTP_ERRORS[code].message, options);
    this.status = HTTP_ERRORS[code].status;
    this.headers = options.headers ?? {};
    this.violations = options.violations ?? [];
  }

  /** Whether nothing has failed: what was decided to be refused, or not to be implemented, has no cause. */
  get isRefusal(): boolean {
    return this.code !== "internal_error" && this.cause === undefined;
  }

  /**
   * An error of the caller's making, without a stack: it would say where the runtime refuses requests, and take longer than
   * all the rest of the answer.
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
