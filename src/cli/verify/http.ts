import { Agent, request as requestPlain } from "node:http";
import { Agent as TlsAgent, request as requestTls } from "node:https";
import { findItemFormat, type ItemFormat } from "tenon/core/http";
import type { ServiceResponse, WireRequest } from "./messages/index.js";
import { setTimeout as wait } from "node:timers/promises";

/** The reason why there is no response. */
export interface NoResponse {
  readonly status?: undefined;
  /** `refused`: nothing listens. `closed`: the connection ended before a response. `late`: none arrived in time. */
  readonly kind: "refused" | "closed" | "late";
  readonly message: string;
}

export interface SendOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Sees the response as it arrives. */
  readonly watch?:
    { begin(status: number, contentType: string): void; chunk(bytes: Uint8Array): void } | undefined;
}

export type Client = ReturnType<typeof createClient>;

/** Maximum number of bytes to read of a body. */
const MAX_BODY = 8 * 1024 * 1024;

/** A stream of items may never end; it is read for so many milliseconds. */
const MAX_WATCHED = 1_000;

/** Removes an item that is not complete at the end of a stream: an event ends with a blank line, a part with its delimiter, any other item with its line. */
function withoutPart(body: Buffer, format: ItemFormat): Buffer {
  if (format === "parts") {
    const delimiter = `\r\n${body.toString("latin1", 0, Math.max(0, body.indexOf("\r\n")))}`;
    const end = body.lastIndexOf(delimiter);
    return end < 0 ? body : Buffer.concat([body.subarray(0, end), Buffer.from(`${delimiter}--`, "latin1")]);
  }
  if (format !== "events") return body.subarray(0, body.lastIndexOf("\n") + 1);
  const [complete = ""] = /^[^]*(?:\r\n|\r|\n)(?:\r\n|\r|\n)/.exec(body.toString("latin1")) ?? [];
  return body.subarray(0, complete.length);
}

/**
 * Creates a client that sends requests to one address and to no other: redirects are not followed.
 * @param base Address that the contract's paths are relative to, without a trailing slash.
 * @param timeout Milliseconds to wait for a response.
 * @param watched Milliseconds that a stream of items is read.
 */
export function createClient(base: URL, timeout: number, watched = MAX_WATCHED) {
  const isTls = base.protocol === "https:";
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  const prefix = base.pathname.replace(/\/+$/, "");

  const sendOnce = (
    { method, path, headers, body }: WireRequest,
    { watch, signal }: SendOptions,
  ): Promise<ServiceResponse | NoResponse> =>
    new Promise((resolve) => {
      const outgoing = (isTls ? requestTls : requestPlain)({
        agent,
        hostname: base.hostname.replace(/^\[(.*)\]$/, "$1"),
        port: base.port,
        signal,
        method,
        path: prefix + path,
        // A list keeps a repeated header, and needs its own host.
        headers: [
          ["Host", base.host],
          ...headers.map(({ name, value }) => [name, value]),
          ...toLength(method, body),
        ].flat(),
      });
      const finish = (result: ServiceResponse | NoResponse) => {
        clearTimeout(timer);
        resolve(result);
      };
      const stop = (message: string) => {
        finish({ kind: "late", message });
        outgoing.destroy();
      };
      const timer = setTimeout(stop, timeout, `no response within ${timeout / 1000} s`);
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        const refused = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"].includes(error.code ?? "");
        const kind = refused ? "refused" : "closed";
        finish({ kind, message: outgoing.reusedSocket && kind === "closed" ? REUSED : error.message });
      });
      outgoing.on("response", (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        const chunks: Buffer[] = [];
        let size = 0;
        const format = findItemFormat(headers["content-type"] ?? "");
        const cut = () => {
          const whole = Buffer.concat(chunks);
          finish({ status, headers, body: format ? withoutPart(whole, format) : whole });
          outgoing.destroy();
        };
        const watching = format && setTimeout(cut, watched);
        incoming.once("close", () => {
          clearTimeout(watching);
        });
        watch?.begin(status, headers["content-type"] ?? "");
        incoming.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size <= MAX_BODY) {
            chunks.push(chunk);
            watch?.chunk(chunk);
          } else if (format) cut();
          else stop(`the response is longer than ${MAX_BODY} bytes`);
        });
        incoming.on("error", ({ message }) => {
          finish({ kind: "closed", message });
        });
        incoming.on("end", () => {
          finish({ status, headers, body: Buffer.concat(chunks) });
        });
      });
      outgoing.end(body);
    });

  return {
    async send(request: WireRequest, options: SendOptions = {}): Promise<ServiceResponse | NoResponse> {
      const response = await sendOnce(request, options);
      // A server may close an idle connection just as it is used again (RFC 9112, section 9.3.1).
      return response.status === undefined && response.message === REUSED
        ? sendOnce(request, options)
        : response;
    },
    close: () => {
      agent.destroy();
    },
  };
}

/** Without a length, Node announces a body of chunks (RFC 9110, section 8.6). */
function toLength(method: string, body: Uint8Array | undefined): readonly string[][] {
  if (body !== undefined) return [["Content-Length", String(body.length)]];
  return ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].includes(method) ? [] : [["Content-Length", "0"]];
}

const REUSED = "the connection was closed before a response";

export interface Limits {
  /** Maximum number of requests. */
  readonly requests: number;
  /** Maximum time from the start, in milliseconds. */
  readonly time: number;
  /** Maximum number of requests per second. */
  readonly rate: number;
}

/** The limit of requests or time is reached; the message says which. */
export class Exhausted extends Error {
  override readonly name = "Exhausted";
}

/** The service cannot be reached. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export type Session = ReturnType<typeof createSession>;

/** Attempts after a 429. */
const RETRIES = 5;

/** Creates a client that enforces limits, and waits when a 429 asks for it. */
export function createSession(client: Client, limits: Limits) {
  const start = Date.now();
  let sent = 0;
  let isReached = false;
  let next = start;

  const pass = async (): Promise<void> => {
    if (sent >= limits.requests) throw new Exhausted(`${limits.requests} requests were sent`);
    if (Date.now() - start >= limits.time) throw new Exhausted(`${limits.time / 1000} s have passed`);
    const early = next - Date.now();
    if (early > 0) await wait(early);
    next = Math.max(Date.now(), next) + 1000 / limits.rate;
    sent += 1;
  };

  return {
    /**
     * @throws {Exhausted}
     * @throws {Unreachable} when the first connection is refused.
     */
    async send(request: WireRequest): Promise<ServiceResponse | NoResponse> {
      for (let tries = 0; ; tries += 1) {
        await pass();
        const response = await client.send(request);
        if (response.status === undefined && response.kind === "refused" && !isReached) {
          throw new Unreachable(response.message);
        }
        isReached = true;
        const pause = response.status === 429 ? toPause(response) : undefined;
        if (pause === undefined || tries >= RETRIES) return response;
        const left = start + limits.time - Date.now();
        if (pause > left) throw new Exhausted(`the service asks to wait for ${Math.ceil(pause / 1000)} s`);
        await wait(pause);
      }
    },
    get sent(): number {
      return sent;
    },
  };
}

/** Milliseconds that a 429 asks to wait. Default: a second. */
function toPause({ headers }: ServiceResponse): number {
  const after = headers["retry-after"];
  const seconds = Number(after);
  if (after !== undefined && Number.isFinite(seconds)) return seconds * 1000;
  const instant = Date.parse(after ?? "");
  return Number.isNaN(instant) ? 1000 : Math.max(0, instant - Date.now());
}
