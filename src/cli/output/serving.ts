import { UsageError } from "./context.js";

/** Resolves when the user stops a command that serves. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((stop) => process.once("SIGINT", stop).once("SIGTERM", stop));
}

/** What cannot be listened at, as its user can mend it; any other error as it is. */
export function toPortError(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new UsageError(`Port ${port} is taken; choose another, for example --port ${port + 1}.`);
}
