import { UsageError } from "./context.js";

/** Resolves when the user stops a command that serves. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((stop) => process.once("SIGINT", stop).once("SIGTERM", stop));
}

/** Converts the error for a port in use to one that says how to fix it; returns any other error unchanged. */
export function toPortError(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new UsageError(`Port ${port} is in use. Choose another, for example --port ${port + 1}.`);
}
