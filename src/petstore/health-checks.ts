import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { Router } from "express";
import { HttpError, serveReadOnly } from "tenon/runtime";
import { StoreUnavailableError, type Store } from "./store/store.js";

/** True if the service accepts new requests. */
export interface Readiness {
  /** True while the service shuts down. */
  draining: boolean;
}

/** Tests whether a request is a health check. Health checks get a response even under overload. */
export function isHealthCheck({ url = "" }: IncomingMessage): boolean {
  return /^\/(healthz|readyz)(\?|$)/.test(url);
}

/**
 * Creates the health checks, which need no key. `/healthz` succeeds while the process runs; `/readyz` succeeds while the
 * store is writable and the service is not shutting down.
 */
export function createHealthRouter(store: Store, readiness: Readiness): Router {
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

export interface ShareProbeOptions {
  /** How long an outcome is reused, in milliseconds. Default: 1,000. */
  readonly lifetimeMs?: number;
  /** A probe that takes longer, in milliseconds, has failed. Default: 2,000. */
  readonly limitMs?: number;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Shares one probe between all callers, so that frequent or hostile health checks do not load the database. */
export function shareProbe(
  probe: () => Promise<void>,
  { lifetimeMs = 1_000, limitMs = 2_000, now = () => performance.now() }: ShareProbeOptions = {},
): () => Promise<void> {
  let outcome = Promise.resolve();
  let until = -Infinity;
  const tooSlow = (): StoreUnavailableError =>
    new StoreUnavailableError(`The database takes longer than ${limitMs} ms to write.`);

  async function attempt(): Promise<void> {
    const deadline = now() + limitMs;
    await probe().finally(() => {
      until = now() + lifetimeMs;
    });
    // A synchronous driver blocks the timer.
    if (now() > deadline) throw tooSlow();
  }

  return () => {
    if (now() < until) return outcome;
    // No other probe starts until this one ends, even when it takes too long.
    until = Infinity;
    const limit = setTimeout(limitMs, undefined, { ref: false }).then(() => {
      throw tooSlow();
    });
    outcome = Promise.race([attempt(), limit]);
    return outcome;
  };
}
