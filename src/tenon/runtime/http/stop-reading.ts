import type { Request } from "express";

/** How much a caller may send after a body was refused, in bytes and milliseconds. */
export const REST_BYTES = 2 ** 20;
const REST_MS = 1_000;

/**
 * Closes the connection after the response, even if the caller goes on sending. Not at once: a caller that is still sending would get a
 * connection reset instead of the response (RFC 9112, section 9.6).
 */
export function stopReading(request: Request): void {
  const { socket, complete } = request;
  if (complete) return;
  // Node calls this when it has sent a response with `Connection: close`.
  socket.destroySoon = () => {
    const mostBytes = socket.bytesRead + REST_BYTES;
    const deadline = performance.now() + REST_MS;
    socket.end();
    request.resume();
    const timer = setInterval(() => {
      if (socket.bytesRead > mostBytes || performance.now() > deadline) socket.destroy();
    }, 10);
    socket.once("close", () => {
      clearInterval(timer);
    });
  };
}
