import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { type CommandContext, type ExitCode, UsageError } from "./context.js";

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

/**
 * Prints the address of a server, and stops it when the user stops the command.
 * @param starting The server once it listens.
 * @param port The port that the user chose.
 * @param title Text before the address: `the mock listens at`.
 * @throws {UsageError} when the port or the address is not available.
 */
export async function serveUntilStopped(
  starting: Promise<{ readonly url: string; stop(): Promise<void> }>,
  port: number,
  title: string,
  { stdout }: CommandContext,
): Promise<ExitCode> {
  const server = await starting.catch((error: unknown) => {
    throw toListenError(error as NodeJS.ErrnoException, port);
  });
  // Before the address is printed: its reader may stop the command at once.
  const stopped = new Promise<void>((stop) => process.once("SIGINT", stop).once("SIGTERM", stop));
  stdout.write(`tenon: ${title} ${server.url}\n`);
  await stopped;
  await server.stop();
  return 0;
}

interface ListenError extends NodeJS.ErrnoException {
  readonly hostname?: string;
  readonly address?: string;
}

function toListenError(error: ListenError, port: number): Error {
  const { code, syscall, hostname = "", address = "" } = error;
  if (code === "EADDRINUSE")
    return new UsageError(`Port ${port} is in use. Choose another, for example --port ${port + 1}.`);
  if (syscall === "getaddrinfo") return new UsageError(`Cannot resolve host ${JSON.stringify(hostname)}.`);
  if (code === "EADDRNOTAVAIL") return new UsageError(`${address} is not an address of this machine.`);
  if (code === "EACCES") return new UsageError(`This user may not listen on port ${port}. Choose another.`);
  return error;
}
