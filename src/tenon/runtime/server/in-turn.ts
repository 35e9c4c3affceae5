import type { RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Passes the requests of a connection to the listener one by one. Node passes all pipelined requests at once, often several hundred,
 * and buffers their responses: a client that does not read them could fill the memory. Connections do not wait for each other.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>();

  return (request, response) => {
    // Only the response that is being sent has a socket.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const queued = last.get(socket);
    const before = queued?.writableFinished === false ? queued : responseOf(socket);
    last.set(socket, response);
    before?.once("close", () => {
      setImmediate(() => {
        if (!socket.destroyed) listener(request, response);
      });
    });
  };
}

/** Returns the response that is being sent on a connection. Node's own default handlers read the same member. */
export function responseOf(socket: Duplex): ServerResponse | undefined {
  return (socket as Duplex & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Calls a function once the responses to all earlier requests of a connection are sent. */
export function afterResponses(socket: Duplex, call: () => void): void {
  const response = responseOf(socket);
  if (response === undefined) call();
  else
    response.once("close", () => {
      afterResponses(socket, call);
    });
}
