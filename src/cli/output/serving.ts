import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "./context.js";

/** A server that accepts connections. */
export interface RunningServer {
  /** `http://127.0.0.1:4010`, without a path. */
  readonly origin: string;
  readonly port: number;
  /** Closes the server and its connections. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server.
 * @param options.port 0 chooses a free one.
 * @throws when the port is not available.
 */
export async function startServer(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<RunningServer> {
  server.listen(port, host);
  await once(server, "listening");
  const { port: chosen } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`,
    port: chosen,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Resolves when the user stops a command that serves. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((stop) => process.once("SIGINT", stop).once("SIGTERM", stop));
}

/** Converts the error for a port in use to one that says how to fix it; returns any other error unchanged. */
export function toPortError(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new UsageError(`Port ${port} is in use. Choose another, for example --port ${port + 1}.`);
}
