import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The connections of each server that has any. */
const connections = new Map<Server, Set<Socket>>();

/**
 * Follows the connections of a server, in one set: a `WeakMap` by connection, or a closure for each, is more work for the
 * garbage collector.
 * @returns The open connections; the set changes.
 */
export function followConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  function forget(this: Socket): void {
    sockets.delete(this);
    if (sockets.size === 0) connections.delete(server);
  }
  server.on("connection", (socket) => {
    sockets.add(socket);
    connections.set(server, sockets);
    socket.on("close", forget);
  });
  return sockets;
}

/** Finds the server of an open connection, if {@link followConnections} follows it. */
export function findServer(socket: Socket): Server | undefined {
  for (const [server, sockets] of connections) if (sockets.has(socket)) return server;
  return undefined;
}
