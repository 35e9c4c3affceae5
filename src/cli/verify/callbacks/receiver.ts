import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServiceResponse } from "../messages/index.js";

/** A request that the service has sent. */
export interface ReceivedRequest extends Pick<ServiceResponse, "headers" | "body"> {
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

/** The response to a callback. */
export interface Reply {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string;
}

/** Receives callbacks at loopback addresses. */
export interface Receiver {
  /**
   * Opens an address.
   * @param onRequest Called with each request to the address or a path below it. Returns the response.
   * @returns the URL, without a trailing slash.
   */
  open(onRequest: (request: ReceivedRequest) => Reply): string;
  /** The URLs that are open begin with it. */
  readonly origin: string;
  close(): void;
}

/** Maximum number of bytes of a body. */
const MAX_BODY = 8 * 1024 * 1024;

/** Starts a receiver on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const addresses: ((request: ReceivedRequest) => Reply)[] = [];
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const { method = "", url: path = "", headers } = request;
        const onRequest = addresses[Number(/^\/(\d+)(?![^/?])/.exec(path)?.[1] ?? NaN)];
        const reply: Reply = onRequest?.({ method, path, headers, body }) ?? { status: 404 };
        if (reply.contentType !== undefined) response.setHeader("Content-Type", reply.contentType);
        response.writeHead(reply.status);
        response.end(reply.body);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    open: (onRequest) => `${origin}/${addresses.push(onRequest) - 1}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error(`The body is longer than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
