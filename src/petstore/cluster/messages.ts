import type { Snapshot } from "../metrics/snapshot.js";

/** What the primary process sends a worker: questions, whether it still answers and what it measured, or the order to drain and end. */
export type ToWorker = "ping" | "measure" | "stop";

/** What a worker sends the primary process. */
export type FromWorker =
  | "pong"
  | { readonly measured: Snapshot }
  /** It serves, at this URL. */
  | { readonly listening: string }
  /** It could not start and ends, for this reason. */
  | { readonly failed: string };
