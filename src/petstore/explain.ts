import { BrokenContractError } from "./app.js";
import { WorkerError } from "./cluster/worker-slot.js";
import { ConfigError } from "./config.js";
import { MetricsServerError } from "./metrics/metrics-server.js";
import { StoreOpenError, StoreUnavailableError } from "./store/store.js";

const EXPLAINED = [
  ConfigError,
  BrokenContractError,
  StoreOpenError,
  StoreUnavailableError,
  MetricsServerError,
  WorkerError,
];

/** Why the service does not start: one line for what whoever starts it can mend, and the stack of everything else, which is a bug. */
export function explain(error: unknown): string {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (EXPLAINED.some((kind) => error instanceof kind)) return message;
  if (code === "EADDRINUSE") return `${message}: set PORT to a free port, or to 0 for any`;
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${message}: set HOST and PORT`;
  return stack ?? message;
}
