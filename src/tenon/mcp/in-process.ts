import {
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { duplexPair, type Duplex } from "node:stream";
import type { Response } from "express";
import type { Violation } from "../runtime/errors/http-error.js";
import type { ToolRequest } from "./tool-request.js";
import type { ToolResponse } from "./tool-result.js";
import type { Watch } from "./watch-items.js";

/** How much of a response is read, and how long it may go on. */
export interface ReadLimits {
  /** Bytes. */
  readonly maxBody: number;
  /** Milliseconds, after which a response that goes on is left. */
  readonly maxTime: number;
}

export interface InProcessResponse extends ToolResponse {
  /** Violations that the runtime found in the request. */
  readonly violations: readonly Violation[];
}

/**
 * Creates a sender of requests to a listener of this process. They pass through Node's HTTP parser over a pair of streams in memory, so
 * that the listener sees what it would see of a connection; nothing listens on a port. The address of the caller is that of the
 * request that they are sent for.
 */
export function createInProcessSender(listener: RequestListener, limits: ReadLimits) {
  const responses = new WeakMap<object, ServerResponse>();
  const server = createServer((request, response) => {
    responses.set(request.socket, response);
    listener(request, response);
  });
  server.on("clientError", (_, socket) => {
    socket.end(
      "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    );
  });
  // A connection carries one request, whose time is limited by the one that it is sent for.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  return async (
    { method, target, headers, body }: ToolRequest,
    outer: IncomingMessage | undefined,
    signal: AbortSignal,
    watch?: Watch,
  ): Promise<InProcessResponse> => {
    const [near, far] = duplexPair();
    if (outer !== undefined) copyAddress(outer, far);
    // A socket has it, and closes an incomplete response with it.
    Object.assign(far, { destroySoon: () => far.end(() => far.destroy()) });
    // The ends of a pair are not closed together: a response that breaks would seem to go on.
    far.once("close", () => {
      if (!far.writableFinished) near.destroy(new Error("The service closed the connection"));
    });
    server.emit("connection", far);
    try {
      const received = await new Promise<ToolResponse>((resolve, reject) => {
        const request = sendRequest({
          method,
          path: target,
          setHost: false,
          signal,
          headers: [
            ...headers,
            ...(body === undefined && method === "GET"
              ? []
              : [["Content-Length", String(body?.length ?? 0)]]),
            ["Connection", "close"],
          ].flat() as unknown as Record<string, string>,
          createConnection: () => near,
        });
        request.on("error", reject);
        request.on("response", (response) => {
          readResponse(response, limits, watch).then(resolve, reject);
        });
        request.end(body);
      });
      const { locals } = (responses.get(far) ?? {}) as Partial<Response>;
      return { ...received, violations: (locals?.["violations"] ?? []) as readonly Violation[] };
    } finally {
      near.destroy();
      far.destroy();
    }
  };
}

/** Members of a socket that identify the caller. */
const ADDRESS = [
  "remoteAddress",
  "remotePort",
  "remoteFamily",
  "localAddress",
  "localPort",
  "encrypted",
] as const;

function copyAddress({ socket }: IncomingMessage, stream: Duplex): void {
  const source = socket as unknown as Readonly<Record<string, unknown>>;
  for (const name of ADDRESS)
    Object.defineProperty(stream, name, { value: source[name], configurable: true });
  for (const name of ["getPeerCertificate", "getPeerX509Certificate", "authorized"]) {
    const member = source[name];
    if (member === undefined) continue;
    const value: unknown = typeof member === "function" ? member.bind(socket) : member;
    Object.defineProperty(stream, name, { value, configurable: true });
  }
}

/** Reads a response as far as the limits allow. */
async function readResponse(
  response: IncomingMessage,
  { maxBody, maxTime }: ReadLimits,
  watch: Watch | undefined,
): Promise<ToolResponse> {
  watch?.begin(response.statusCode ?? 0, response.headers["content-type"] ?? "");
  const chunks: Buffer[] = [];
  let length = 0;
  let isCut = false;
  const timer = setTimeout(() => {
    isCut = true;
    response.destroy();
  }, maxTime);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const kept = chunk.subarray(0, maxBody - length);
      chunks.push(kept);
      watch?.chunk(kept);
      length += chunk.length;
      isCut = length > maxBody;
      if (isCut) break;
    }
  } catch (error) {
    // The end of the time destroys the response.
    if (!isCut) throw error;
  } finally {
    clearTimeout(timer);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks), isCut };
}
