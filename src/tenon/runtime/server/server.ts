import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createErrorContent, type ErrorContentOptions, type Problem } from "../errors/error-content.js";
import { createFixedHeaders } from "../http/node-response.js";
import { followConnections } from "../http/connections.js";
import { closeAtOnce } from "../http/send-stream.js";
import { createReport, type FailureOptions } from "../errors/failure.js";
import { HTTP_ERRORS, HttpError, type HttpErrorCode } from "../errors/http-error.js";
import { continueWhenRead } from "./expect-continue.js";
import { afterResponses, responseOf, inTurn } from "./in-turn.js";
import { toMessageClasses } from "./message-classes.js";
import { createOverloadCheck, type OverloadOptions } from "./overload.js";
import { stopStreams } from "../streams/open-streams.js";
import { findArriving, limitBodyTime } from "../http/body-time.js";
import { limitUnsentBytes } from "../http/unsent-bytes.js";
import type { ReplyContent } from "../response/reply.js";
import { findHeadProblem, isUpgrade } from "./request-head.js";
import { toContentType } from "../response/reply.js";
import { respond, toChunk } from "../response/respond.js";

/**
 * The options of {@link createHttpServer}. Sizes are in bytes, times in milliseconds.
 * @example
 * const options: HttpServerOptions = {
 *   ...errors,
 *   requestTimeout: 30_000,
 *   headers: { "X-Content-Type-Options": "nosniff" },
 *   overload: { maxEventLoopDelay: 100 },
 * };
 * createHttpServer(app, options).listen(8080);
 */
export interface HttpServerOptions extends ErrorContentOptions, Pick<FailureOptions, "onFailure"> {
  /** Longest request target in bytes. Default: 8,192 (RFC 9110, section 4.1 asks for at least 8,000). */
  readonly targetLimit?: number;
  /** Maximum size of a request's target and headers together, in bytes. Default: 16,384. */
  readonly maxHeaderSize?: number;
  /** Maximum number of headers of a request. Default: 100. */
  readonly maxHeadersCount?: number;
  /** Maximum number of open connections; further ones are closed at once. Default: 10,000. */
  readonly maxConnections?: number;
  /** Time for all headers to arrive, in milliseconds. Default: 5,000, or `requestTimeout` where that is less. */
  readonly headersTimeout?: number;
  /**
   * Time for the whole request to arrive, in milliseconds. A body that its handler reads as a stream may take longer: it is the time
   * without a byte. Default: 10,000.
   */
  readonly requestTimeout?: number;
  /**
   * Minimum rate of a body that its handler reads as a stream, in bytes per second, over each `requestTimeout`. A handler that reads slowly
   * does not count. 0 allows senders that produce items slowly. Default: 100.
   */
  readonly minStreamRate?: number;
  /** Time after which a connection is closed whose client does not read the response, in milliseconds. Default: 20,000. */
  readonly sendTimeout?: number;
  /** How long an idle connection is kept, in milliseconds. Default: 5,000. */
  readonly keepAliveTimeout?: number;
  /** Time after which clients of event streams connect again when the server is closed, in milliseconds. Default: 1,000. */
  readonly streamRetry?: number;
  /**
   * How long streams of items may go on after `close` is called, in milliseconds. Those whose operation declares `Last-Event-ID` end
   * at once, because their clients can continue. Default: 5,000.
   */
  readonly streamGrace?: number;
  /** Refuses requests with 503 while the service is overloaded. Default: off. */
  readonly overload?: OverloadOptions;
  /** Headers of every response, including responses to requests that never reach the app. The app can replace them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates an HTTP server for an Express app. Requests that never reach the app also get the contract's error body: malformed
 * HTTP, headers that are too large or too slow, an unknown expectation, a missing Host. Node sends no body for these.
 * @throws {Error} when `errorBody` has no function for `errorMediaType`.
 * @example
 * const server = createHttpServer(app, errors);
 * server.listen(8080, () => {
 *   console.log("Listening on http://localhost:8080");
 * });
 */
export function createHttpServer(app: RequestListener, options: HttpServerOptions): Server {
  const { report, toContent } = createRefusals(options);
  const { requestTimeout = 10_000, minStreamRate = 100 } = options;
  // Further bytes on such a connection, or on one that is closing, may be part of the refused request; Node continues reading
  // (RFC 9112, section 9.6).
  const refused = new WeakSet<Duplex>();
  const limits = { target: options.targetLimit ?? 8_192, headers: options.maxHeadersCount ?? 100 };
  const setHeaders = createFixedHeaders(options.headers ?? {});
  const bareHeaders = toLines(options.headers ?? {});

  const server = createServer(
    {
      // A missing Host is refused below, with a body.
      requireHostHeader: false,
      maxHeaderSize: options.maxHeaderSize ?? 16_384,
      headersTimeout: options.headersTimeout ?? Math.min(5_000, requestTimeout),
      // Node would limit the whole time of streams too: see `limitBodyTime`.
      requestTimeout: 0,
      keepAliveTimeout: options.keepAliveTimeout ?? 5_000,
      connectionsCheckingInterval: 1_000,
      ...toMessageClasses(app),
    },
    inTurn((request, response) => {
      if (refused.has(request.socket) || request.socket.writableEnded) return;
      setHeaders(response);
      response.shouldKeepAlive &&= !isUpgrade(request);
      const problem = findHeadProblem(request, limits);
      if (problem !== undefined) {
        refuse(request, response, problem);
      } else if (isOverload?.(request) === true) {
        // `onFailure` is not called: reporting each refusal would add to the overload.
        const { status, message } = HTTP_ERRORS.unavailable;
        const content = toContent({ code: "unavailable", message, status });
        respond(response, { status, headers: { "Retry-After": "1" }, content });
      } else {
        app(request, response);
      }
    }),
  );

  const sockets = followConnections(server);
  limitBodyTime(server, { sockets, limit: requestTimeout, minRate: minStreamRate });
  const { overload } = options;
  const isOverload =
    overload && createOverloadCheck(overload, limitUnsentBytes(server, sockets, overload.maxUnsentBytes));
  const { streamRetry = 1_000, streamGrace = 5_000 } = options;
  stopStreams(server, { streamRetry, streamGrace });
  server.maxConnections = options.maxConnections ?? 10_000;
  // Node would ignore headers beyond the limit instead of refusing the request.
  server.maxHeadersCount = 0;
  server.timeout = options.sendTimeout ?? 20_000;

  function refuse(request: IncomingMessage, response: ServerResponse, error: HttpError): void {
    const content = report(error, error, request);
    refused.add(request.socket);
    respond(response, { status: error.status, headers: { Connection: "close" }, content });
  }

  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    server.emit("request", request, response);
  });

  // Refused above as a problem of the head, after the responses to earlier requests.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });

  server.on("connect", (request: IncomingMessage, socket: Duplex) => {
    const error = new HttpError("method_not_allowed", { message: "CONNECT is not supported" });
    const content = report(error, error, request);
    const headers = `${bareHeaders}Allow: GET, HEAD, POST, OPTIONS\r\n`;
    // Node has removed its listeners; an error without one would end the process.
    socket.on("error", () => socket.destroy());
    socket.on("timeout", destroyStalled.bind(undefined, socket as Socket));
    afterResponses(socket, endSocket.bind(undefined, socket, error.status, content, headers));
  });

  server.on("timeout", destroyStalled);

  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Socket) => {
    const response = responseOf(socket);
    const hasResponse = response === undefined ? findArriving(socket) !== undefined : response.headersSent;
    // A reset connection cannot receive a response, and a request must not get a second one.
    if (cause.code === "ECONNRESET" || !socket.writable || hasResponse) {
      closeAtOnce(socket, response);
      return;
    }
    // The bytes of the request may have a credential, and whatever logs the error would log them.
    Reflect.deleteProperty(cause, "rawPacket");
    const error = new HttpError(codeOf(cause));
    // An unsupported version is a mistake of the caller, but with a cause its 505 would be a failure of the service.
    const reported = error.status < 500 ? cause : error;
    endSocket(socket, error.status, report(error, reported, response?.req), bareHeaders);
  });

  return server;
}

/** Creates the functions that report a refused request and make its error body. They never throw: no code around them would catch it. */
function createRefusals(options: HttpServerOptions) {
  const toErrorContent = createErrorContent(options);
  const reportFailure = createReport(options.onFailure);

  /** Returns undefined when `errorBody` fails. */
  function toContent(problem: Problem): ReplyContent | undefined {
    try {
      const content = toErrorContent(problem);
      // Fails for a body that is not JSON.
      toChunk(content);
      return content;
    } catch (error) {
      reportFailure({ problem, phase: "http", error, operation: undefined }, undefined);
      return undefined;
    }
  }

  function report(
    { code, message, status }: HttpError,
    cause: unknown,
    request: IncomingMessage | undefined,
  ): ReplyContent | undefined {
    const problem = { code, message, status };
    reportFailure({ problem, phase: "http", error: cause, operation: undefined }, request);
    return toContent(problem);
  }

  return { report, toContent };
}

/** Node would also close a connection whose handler is still running. */
function destroyStalled(socket: Socket): void {
  const response = responseOf(socket);
  if (response === undefined || socket.writableLength > 0) closeAtOnce(socket, response);
}

function codeOf({ code, reason }: NodeJS.ErrnoException & { readonly reason?: string }): HttpErrorCode {
  switch (code) {
    case "HPE_PAUSED_H2_UPGRADE":
      return "http_version_not_supported";
    case "HPE_INVALID_VERSION":
      // The other reasons are about a version that is not two digits.
      return reason === "Invalid HTTP version" ? "http_version_not_supported" : "malformed_request";
    case "HPE_HEADER_OVERFLOW":
      return "headers_too_large";
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "content_too_large";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "request_timeout";
    default:
      return "malformed_request";
  }
}

function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** @param headers Lines, each with its end. */
function endSocket(socket: Duplex, status: number, content: ReplyContent | undefined, headers: string): void {
  const chunk = content ? toChunk(content) : "";
  const type = content ? `Content-Type: ${toContentType(content)}\r\n` : "";
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${headers}${type}` +
      `Content-Length: ${Buffer.byteLength(chunk)}\r\nConnection: close\r\n\r\n`,
  );
  socket.end(chunk);
}
