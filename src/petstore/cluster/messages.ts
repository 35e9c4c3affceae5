import type { Metrics } from "../metrics/format.js";

/** Messages to a worker: are you alive, send your metrics, stop gracefully. */
export type ToWorker = "ping" | "measure" | "stop";

/** Messages from a worker. */
export type FromWorker =
  | "pong"
  | { readonly measured: readonly Metrics[] }
  /** It listens on this URL. */
  | { readonly listening: string }
  /** It could not start, and ends. */
  | { readonly failed: string };
