import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Closes the connection of an incomplete response, after what is written: only that shows the client that the end is missing. HTTP/1.0
 * has no chunks, and the end of a connection is the end of a body without a length: there, only a reset shows it.
 */
export function closeIncomplete(response: ServerResponse): Promise<void> {
  const { socket } = response;
  return new Promise((resolve) => {
    if (socket === null || hasKnownEnd(response)) {
      // Unlike `destroy`, it sends what is written.
      socket?.destroySoon();
      resolve();
    } else {
      socket.write("", () => {
        resetConnection(socket);
        resolve();
      });
    }
  });
}

/** Closes a connection at once, also in the middle of a response. See {@link closeIncomplete}. */
export function closeAtOnce(socket: Socket, response: ServerResponse | undefined): void {
  if (response === undefined || hasKnownEnd(response)) socket.destroy();
  else resetConnection(socket);
}

function hasKnownEnd(response: ServerResponse): boolean {
  return response.useChunkedEncodingByDefault || response.hasHeader("Content-Length");
}

function resetConnection(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Only TCP has resets. TLS shows the missing end itself, by a missing alert.
    socket.destroy();
  }
}

/**
 * Sends a stream as a response body, no faster than the client reads. When the stream fails before its first chunk, an error response
 * is still possible. When it fails later, the connection is closed. A client that disconnects closes the stream, which is not a failure.
 * @param setHead Sets status and headers; called when there is something to send.
 */
export async function sendStream(
  response: ServerResponse,
  body: Readable,
  setHead: () => void,
): Promise<void> {
  if (response.destroyed || response.req.method === "HEAD") {
    body.destroy();
    setHead();
    response.end();
    return;
  }
  const leaving = new AbortController();
  const onClose = (): void => {
    // The response is closed after a failure of the stream too.
    if (body.errored === null) leaving.abort();
    body.destroy();
  };
  response.once("close", onClose);
  try {
    const chunks = body[Symbol.asyncIterator]() as AsyncIterator<unknown>;
    const first = await chunks.next();
    setHead();
    const length = Number(response.getHeader("Content-Length") ?? NaN);
    let sent = 0;
    await pipeline(async function* () {
      try {
        for (let chunk = first; chunk.done !== true; chunk = await chunks.next()) {
          sent += Buffer.byteLength(chunk.value as string | Uint8Array);
          // The client would take what is too much for the next response.
          if (sent > length)
            throw new Error(`The stream is longer than its Content-Length of ${length} bytes`);
          yield chunk.value;
        }
        if (sent < length)
          throw new Error(`The stream has ${sent} bytes, and its Content-Length is ${length}`);
      } catch (error) {
        await closeIncomplete(response);
        throw error;
      }
    }, response);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    response.off("close", onClose);
  }
}
