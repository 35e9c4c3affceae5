import type { RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { closeAtOnce } from "../http/send-stream.js";

/** Maximum number of requests of all connections that wait for their turn. Each takes about 2 kB, and the size of its head. */
const MAX_WAITING = 10_000;

/** Waiting requests of a connection that never close it: a client that does not pipeline may send its next request a moment early. */
const MIN_WAITING = 10;

interface Queue {
  waiting: number;
  /** Response to the last request of the queue. */
  last: ServerResponse | undefined;
}

/**
 * Passes the requests of a connection to the listener one by one. Node passes all pipelined requests at once, often several hundred,
 * and buffers their responses: a client that does not read them could fill the memory. Connections do not wait for each other.
 *
 * Node parses requests faster than any listener responds, and reads on meanwhile. So a connection is closed that adds to more than
 * {@link MAX_WAITING} requests; its client may repeat those without a response (RFC 9112, section 9.3.2).
 */
export function inTurn(listener: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, Queue>();
  let waiting = 0;

  const createQueue = (socket: Socket): Queue => {
    const queue: Queue = { waiting: 0, last: undefined };
    queues.set(socket, queue);
    // Node closes none of the waiting responses.
    socket.once("close", () => (waiting -= queue.waiting));
    return queue;
  };
  const count = (queue: Queue, change: 1 | -1): void => {
    queue.waiting += change;
    waiting += change;
  };

  return (request, response) => {
    // Only the response that is being sent has a socket.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    // Node parses the rest of the bytes that it has read.
    if (socket.destroyed) return;
    const queue = queues.get(socket) ?? createQueue(socket);
    if (waiting >= MAX_WAITING && queue.waiting >= MIN_WAITING) {
      closeAtOnce(socket, responseOf(socket));
      return;
    }
    const before = queue.last?.writableFinished === false ? queue.last : responseOf(socket);
    queue.last = response;
    count(queue, 1);
    before?.once("close", () => {
      setImmediate(() => {
        if (socket.destroyed) return;
        count(queue, -1);
        listener(request, response);
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
