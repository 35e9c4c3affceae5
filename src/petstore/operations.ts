import type { IncomingMessage } from "node:http";
import { Router } from "express";
import { HttpError, serveReadOnly } from "tenon/runtime";
import { shareProbe } from "./share-probe.js";
import { StoreUnavailableError, type Store } from "./store/store.js";

/** Whether the service takes new requests. */
export interface Readiness {
  draining: boolean;
}

/** Whether a request asks for the process's health: it is answered however much else there is to do. */
export function isHealthCheck({ url = "" }: IncomingMessage): boolean {
  return /^\/(healthz|readyz)(\?|$)/.test(url);
}

/**
 * What operators and their machines ask, without a key: `/healthz` says that the process runs, `/readyz` that it can
 * serve: its store can be written and it is not shutting down.
 */
export function createOperationsRouter(store: Store, readiness: Readiness): Router {
  const probe = shareProbe(() => store.ping());
  const router = Router({ strict: true, caseSensitive: true });
  serveReadOnly(router, "/healthz", (_, response) => {
    response.json({ status: "ok" });
  });
  serveReadOnly(router, "/readyz", async (_, response) => {
    if (readiness.draining) throw unavailable("The service is shutting down");
    try {
      await probe();
    } catch (error) {
      throw error instanceof StoreUnavailableError
        ? unavailable("The store cannot be written", error)
        : error;
    }
    response.json({ status: "ready" });
  });
  return router;
}

function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError("unavailable", { message, cause, headers: { "Retry-After": "1" } });
}
