import type { Server } from "node:http";
import type { Socket } from "node:net";
import { findServer } from "./connections.js";

/** Minimum time between two sums, in milliseconds: a process does not write many responses in it. */
const SUM_INTERVAL = 10;

/** Sums take at most one part in this many of the time, however many connections there are. */
const SUM_SHARE = 100;

/** How long a client may stop reading while the limit is exceeded, in milliseconds. */
const STALL_TIMEOUT = 1_000;

const checks = new WeakMap<Server, () => boolean>();

/**
 * Limits the bytes of responses that wait in memory because their clients do not read them. Once the limit is exceeded, clients that
 * stop reading lose their connections early; {@link isCongested} reports it, so that no more responses are added.
 * @param sockets The open connections of the server.
 * @returns Tests whether the limit is exceeded.
 */
export function limitUnsentBytes(
  server: Server,
  sockets: ReadonlySet<Socket>,
  maxBytes = 64 * 2 ** 20,
): () => boolean {
  let nextSum = 0;
  let isExceeded = false;

  const check = (): boolean => {
    const start = performance.now();
    if (start < nextSum) return isExceeded;
    let bytes = 0;
    for (const socket of sockets) bytes += socket.writableLength;
    isExceeded = bytes > maxBytes;
    if (isExceeded) for (const socket of sockets) hurry(socket);
    const end = performance.now();
    nextSum = end + Math.max(SUM_INTERVAL, SUM_SHARE * (end - start));
    return isExceeded;
  };

  checks.set(server, check);
  return check;
}

/** Tests whether the server of a connection has more unsent bytes than its limit. */
export function isCongested(socket: Socket): boolean {
  const server = findServer(socket);
  return (server && checks.get(server)?.()) ?? false;
}

/** Node resets the timeout when the client reads on, and sets its own again for the next request. */
function hurry(socket: Socket): void {
  const { timeout = 0 } = socket;
  if (socket.writableLength > 0 && (timeout === 0 || timeout > STALL_TIMEOUT))
    socket.setTimeout(STALL_TIMEOUT);
}
