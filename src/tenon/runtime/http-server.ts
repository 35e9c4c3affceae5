import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { createErrorContent, type ErrorContentOptions } from "./error-content.js";
import { createFixedHeaders } from "./fixed-headers.js";
import { type FailureOptions, logFailure } from "./failure.js";
import { HttpError, type HttpErrorCode } from "./http-error.js";
import { toMessageClasses } from "./message-classes.js";
import type { ReplyContent } from "./reply.js";
import { respond, toChunk, toContentType } from "./respond.js";

export interface HttpServerOptions extends ErrorContentOptions, Pick<FailureOptions, "onFailure"> {
  /** Longest request target in bytes. Default: 8,192 (RFC 9110, section 4.1 asks for at least 8,000). */
  readonly targetLimit?: number;
  /** Time for all headers to arrive, in milliseconds. Default: 5,000. */
  readonly headersTimeout?: number;
  /** Time for the whole request to arrive, in milliseconds. Default: 10,000. */
  readonly requestTimeout?: number;
  /** How long an idle connection is kept, in milliseconds. Default: 5,000. */
  readonly keepAliveTimeout?: number;
  /** Headers of every answer, also of those that never reach the app. Whoever sets one again replaces it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An HTTP server for an Express app that answers what never reaches the app in the contract's error body too: malformed
 * HTTP, headers that are too large or too slow, an unknown expectation, a missing Host. Node answers these bare.
 */
export function createHttpServer(app: RequestListener, options: HttpServerOptions): Server {
  const toContent = createErrorContent(options);
  const onFailure = options.onFailure ?? logFailure;
  const targetLimit = options.targetLimit ?? 8_192;
  const setHeaders = createFixedHeaders(options.headers ?? {});
  const bareHeaders = toLines(options.headers ?? {});

  const server = createServer(
    {
      // A missing Host is answered below, with a body.
      requireHostHeader: false,
      headersTimeout: options.headersTimeout ?? 5_000,
      requestTimeout: options.requestTimeout ?? 10_000,
      keepAliveTimeout: options.keepAliveTimeout ?? 5_000,
      connectionsCheckingInterval: 1_000,
      ...toMessageClasses(app),
    },
    (request, response) => {
      setHeaders(response);
      if (request.httpVersion === "1.1" && request.headers.host === undefined) {
        refuse(
          request,
          response,
          new HttpError("malformed_request", { message: "The Host header is missing" }),
        );
      } else if (!isReadable(request.url ?? "")) {
        refuse(
          request,
          response,
          new HttpError("malformed_request", { message: "The request target is not a URL" }),
        );
      } else if ((request.url?.length ?? 0) > targetLimit) {
        refuse(request, response, new HttpError("uri_too_long"));
      } else {
        app(request, response);
      }
    },
  );

  function tell(
    { code, message, status }: HttpError,
    cause: unknown,
    request: IncomingMessage | undefined,
  ): ReplyContent {
    const problem = { code, message, status };
    onFailure({ problem, phase: "http", error: cause, operation: undefined }, request);
    return toContent(problem);
  }

  function refuse(request: IncomingMessage, response: ServerResponse, error: HttpError): void {
    const content = tell(error, error, request);
    respond(response, { status: error.status, headers: { Connection: "close" }, content });
  }

  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    setHeaders(response);
    refuse(request, response, new HttpError("expectation_failed"));
  });

  server.on("connect", (request: IncomingMessage, socket: Duplex) => {
    const error = new HttpError("method_not_allowed", { message: "CONNECT is not supported" });
    endSocket(
      socket,
      error.status,
      tell(error, error, request),
      `${bareHeaders}Allow: GET, HEAD, POST, OPTIONS\r\n`,
    );
  });

  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Duplex) => {
    // A connection that was reset has nobody left to tell; one that already has an answer must not get a second.
    if (cause.code === "ECONNRESET" || !socket.writable || hasAnswer(socket)) {
      socket.destroy();
      return;
    }
    const error = new HttpError(codeOf(cause));
    endSocket(socket, error.status, tell(error, cause, undefined), bareHeaders);
  });

  return server;
}

/**
 * Express answers a target that it cannot parse with a page of its own, before any middleware; only the absolute form
 * can be one (RFC 9112, section 3.2.2).
 */
function isReadable(target: string): boolean {
  return target.startsWith("/") || target === "*" || URL.canParse(target);
}

function codeOf({ code }: NodeJS.ErrnoException): HttpErrorCode {
  switch (code) {
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

/** Node keeps the answer under way on the socket; its own default handler looks at the same member. */
function hasAnswer(socket: Duplex): boolean {
  return (socket as { _httpMessage?: { headersSent?: boolean } | null })._httpMessage?.headersSent === true;
}

function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** @param headers Lines, each with its end. */
function endSocket(socket: Duplex, status: number, content: ReplyContent, headers: string): void {
  const chunk = toChunk(content);
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${headers}Content-Type: ${toContentType(content)}\r\n` +
      `Content-Length: ${Buffer.byteLength(chunk)}\r\nConnection: close\r\n\r\n`,
  );
  socket.end(chunk);
}
