import type { Server } from "node:http";
import type { Socket } from "node:net";
import { unavailable } from "../errors/http-error.js";
import { findServer } from "../http/connections.js";

/** A stream that would go on after the server is closed. */
export interface OpenStream {
  /** True if the client can continue it on another connection. */
  readonly resumes: boolean;
  /** Sends the milliseconds after which the client may connect again, where the format has a place for them. */
  announce(retry: number): void;
  /** Ends the iteration, and the connection: once the client has read what is written, or at once. */
  stop(isAtOnce?: boolean): void;
}

/** The open streams of a server. */
interface Streams {
  readonly open: Set<OpenStream>;
  isClosed: boolean;
}

const streamsByServer = new WeakMap<Server, Streams>();

export interface StreamStopOptions {
  /** See `HttpServerOptions`. */
  readonly streamRetry: number;
  readonly streamGrace: number;
}

/** Ends the streams of a server when `close` is called, which only waits for them otherwise. */
export function stopStreams(server: Server, { streamRetry, streamGrace }: StreamStopOptions): void {
  const streams: Streams = { open: new Set(), isClosed: false };
  streamsByServer.set(server, streams);
  server.on("listening", () => {
    streams.isClosed = false;
  });
  const close = server.close.bind(server);
  server.close = (callback) => {
    if (!streams.isClosed) {
      streams.isClosed = true;
      for (const stream of streams.open) {
        stream.announce(streamRetry);
        if (stream.resumes) stream.stop();
      }
      setTimeout(() => {
        for (const stream of streams.open) stream.stop(true);
      }, streamGrace).unref();
    }
    return close(callback);
  };
}

/**
 * Adds a stream to those of its server.
 * @returns a function that removes it.
 * @throws {HttpError} when the server is closed.
 */
export function registerStream(socket: Socket, stream: OpenStream): () => void {
  const server = findServer(socket);
  const streams = server && streamsByServer.get(server);
  if (streams?.isClosed === true) throw unavailable();
  streams?.open.add(stream);
  return () => streams?.open.delete(stream);
}
