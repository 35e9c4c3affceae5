import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Hands over the requests of a connection one by one. Node hands over at once what was sent in one piece, several hundred
 * requests, and keeps the answers until their turn: as much memory as a caller likes who does not read them. Of several
 * connections each has its turn.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>();

  return (request, response) => {
    // Only the answer whose turn it is has a socket.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const queued = last.get(socket);
    const before = queued?.writableFinished === false ? queued : answerOf(socket);
    last.set(socket, response);
    before?.once("close", () => {
      setImmediate(() => {
        if (!socket.destroyed) listener(request, response);
      });
    });
  };
}

/** The answer whose turn it is on a connection. Node's own default handlers look at the same member. */
export function answerOf(socket: Duplex): ServerResponse | undefined {
  return (socket as Duplex & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Whether the body of a request is still being sent, be it answered or not. Kept by Node's own server, as is the answer. */
export function isArriving(socket: Duplex): boolean {
  const { parser } = socket as Duplex & {
    readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  };
  return parser?.incoming?.complete === false;
}
