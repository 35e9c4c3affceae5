import type { IncomingMessage, Server } from "node:http";
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

/** The last time that a request was not late. */
interface Arrival {
  readonly time: number;
  /** Bytes that the connection had received. */
  readonly bytes: number;
}

/**
 * Limits the time in which request bodies arrive, within about two seconds. Node limits the time of all requests alike, also of those
 * whose body is a stream.
 * @param limit Longest time for a whole body, or without a byte of a streamed one, in milliseconds; 0 for none.
 */
export function limitBodyTime(server: Server, limit: number): void {
  if (limit === 0) return;
  const sockets = new Set<Duplex & { readonly bytesRead: number }>();
  const arrivals = new WeakMap<IncomingMessage, Arrival>();

  const check = (): void => {
    const time = performance.now();
    for (const socket of sockets) {
      const request = findArriving(socket);
      if (request === undefined) continue;
      const last = arrivals.get(request);
      const { bytesRead: bytes } = socket;
      // A handler that reads slowly has bytes waiting for it.
      const isMoving = isStreamed(request) && (bytes !== last?.bytes || request.readableLength > 0);
      if (last === undefined || isMoving) arrivals.set(request, { time, bytes });
      else if (time - last.time > limit) {
        const error = new Error("The request took too long to arrive");
        server.emit("clientError", Object.assign(error, { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
      }
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL).unref();

  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
    });
  });
  server.once("close", () => {
    clearInterval(timer);
  });
}

/** Returns the request whose body is still arriving. Node's server keeps the state on the socket. */
export function findArriving(socket: Duplex): IncomingMessage | undefined {
  const { parser } = socket as Duplex & {
    readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  };
  return parser?.incoming?.complete === false ? parser.incoming : undefined;
}
