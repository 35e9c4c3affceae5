import type { IncomingMessage, ServerResponse } from "node:http";
import { isUpgrade } from "./request-head.js";

/**
 * Sends `100 Continue` when the body is first read, so that a caller sends it only after authentication. A response that comes first
 * closes the connection: the caller may or may not send the body after it (RFC 9110, section 10.1.1).
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request._read = (size) => {
    // Restores the method of the prototype.
    Reflect.deleteProperty(request, "_read");
    // Node also reads what is left after the response.
    if (!response.headersSent) {
      response.shouldKeepAlive = shouldKeepAlive && !isUpgrade(request);
      response.writeContinue();
    }
    request._read(size);
  };
}
