import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Interval between two checks, in milliseconds. */
const CHECK_INTERVAL = 1_000;

const streamed = new WeakSet<IncomingMessage>();

/** Marks a request whose handler reads the body while it arrives: only pauses of the sender are limited, not the whole time. */
export function markStreamed(request: IncomingMessage): void {
  streamed.add(request);
}

/** Tests whether the handler of a request reads its body while it arrives. */
export function isStreamed(request: IncomingMessage): boolean {
  return streamed.has(request);
}

/** A time, and the bytes that a connection had received. */
interface Mark {
  readonly time: number;
  readonly bytes: number;
}

interface Arrival {
  /** The last time that a request was not late. */
  readonly last: Mark;
  /** The start of the time over which the rate counts. */
  readonly start: Mark;
}

export interface BodyTimeLimits {
  /** The open connections of the server. */
  readonly sockets: ReadonlySet<Socket>;
  /** Longest time for a whole body, or without a byte of a streamed one, in milliseconds; 0 for none. */
  readonly limit: number;
  /** Minimum rate of a streamed body in bytes per second, over each time of `limit`. */
  readonly minRate: number;
}

/**
 * Limits the time in which request bodies arrive, within about two seconds. Node limits the time of all requests alike, also of those
 * whose body is a stream.
 */
export function limitBodyTime(server: Server, { sockets, limit, minRate }: BodyTimeLimits): void {
  if (limit === 0) return;
  const arrivals = new WeakMap<IncomingMessage, Arrival>();

  const isLate = (request: IncomingMessage, now: Mark): boolean => {
    const known = arrivals.get(request);
    // Bytes are waiting for a handler that reads slowly.
    if (known === undefined || (isStreamed(request) && request.readableLength > 0)) {
      arrivals.set(request, { last: now, start: now });
      return false;
    }
    const { last, start } = known;
    if (!isStreamed(request) || now.bytes === last.bytes) return now.time - last.time > limit;
    const time = now.time - start.time;
    const isOver = time > limit;
    arrivals.set(request, { last: now, start: isOver ? now : start });
    return isOver && now.bytes - start.bytes < (minRate * time) / 1_000;
  };
  const check = (): void => {
    const time = performance.now();
    for (const socket of sockets) {
      const request = findArriving(socket);
      if (request === undefined || !isLate(request, { time, bytes: socket.bytesRead })) continue;
      const error = new Error("The request took too long to arrive");
      server.emit("clientError", Object.assign(error, { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    }
  };
  server.on("listening", () => {
    const timer = setInterval(check, CHECK_INTERVAL).unref();
    server.once("close", () => {
      clearInterval(timer);
    });
  });
}

/** Returns the request whose body is still arriving. Node's server keeps the state on the socket. */
export function findArriving(socket: Duplex): IncomingMessage | undefined {
  const { parser } = socket as Duplex & {
    readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  };
  return parser?.incoming?.complete === false ? parser.incoming : undefined;
}
