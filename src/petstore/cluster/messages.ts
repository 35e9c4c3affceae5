/** What the primary process sends a worker: a question whether it still answers, or the order to drain and end. */
export type ToWorker = "ping" | "stop";

/** What a worker sends the primary process. */
export type FromWorker =
  | "pong"
  /** It serves, at this URL. */
  | { readonly listening: string }
  /** It could not start and ends, for this reason. */
  | { readonly failed: string };
