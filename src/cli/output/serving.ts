import process from "node:process";
import { type CommandContext, type ExitCode, UsageError } from "./context.js";

/**
 * Prints the address of a server, and stops it when the user stops the command.
 * @param starting The server once it listens.
 * @param port The port that the user chose.
 * @param title Text before the address: `the mock listens at`.
 * @throws {UsageError} when the port is in use.
 */
export async function serveUntilStopped(
  starting: Promise<{ readonly url: string; stop(): Promise<void> }>,
  port: number,
  title: string,
  { stdout }: CommandContext,
): Promise<ExitCode> {
  const server = await starting.catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new UsageError(`Port ${port} is in use. Choose another, for example --port ${port + 1}.`);
  });
  stdout.write(`tenon: ${title} ${server.url}\n`);
  await new Promise<void>((stop) => process.once("SIGINT", stop).once("SIGTERM", stop));
  await server.stop();
  return 0;
}
