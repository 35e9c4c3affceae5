import type { Request, Response } from "express";
import { HttpError } from "tenon/runtime";
import { operations } from "../../../generated/v1/server.js";
import type { Logger } from "../log.js";
import type { RateStore } from "../store/store.js";
import { toNetwork } from "./network.js";
import { type Decision, type Rate, RateLimiter } from "./rate-limiter.js";

/** Minimum time between two log lines about the same problem, in milliseconds. */
const LOG_MS = 60_000;

/** Operations with limits: those that declare 429 in the contract. */
const LIMITED: ReadonlySet<string> = new Set(
  operations.filter(({ statuses }) => statuses.some((status) => status === "429")).map(({ id }) => id),
);

export interface RequestLimitsOptions {
  /** Per key. */
  readonly rateLimit: Rate | "off";
  /** For requests with invalid keys, per network. */
  readonly failedAuthLimit: Rate | "off";
  /** Shares rates of keys between processes; undefined for a single process. */
  readonly rates: RateStore | undefined;
  readonly logger: Logger;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** An authenticated call whose parameters and body are not read yet. */
export interface KeyCall {
  readonly keyId: string;
  readonly operationId: string;
  readonly response: Response;
}

/** Limits of callers. Both methods throw the {@link HttpError} that refuses the request. */
export interface RequestLimits {
  /** Counts a call for its key, and sets the headers that report what is left. */
  admit(call: KeyCall): void | Promise<void>;
  /** Counts a request with an invalid key. Valid keys are not affected by invalid ones of the same network. */
  countFailure(request: Request, operationId: string): void;
}

export function createRequestLimits(options: RequestLimitsOptions): RequestLimits {
  const { rateLimit, failedAuthLimit, rates, logger, now } = options;
  const logStoreFailure = atMostEvery(LOG_MS, (error: unknown) => {
    logger.warn({ err: error }, "rates are not shared: the store is unavailable");
  });
  const logNetwork = atMostEvery(LOG_MS, (network: string) => {
    logger.warn({ network }, "too many invalid keys");
  });
  const keys =
    rateLimit === "off"
      ? undefined
      : new RateLimiter(rateLimit, { store: rates, onFailure: logStoreFailure, now });
  const networks = failedAuthLimit === "off" ? undefined : new RateLimiter(failedAuthLimit, { now });
  const { limit, windowSeconds } = rateLimit === "off" ? { limit: 0, windowSeconds: 0 } : rateLimit;

  function respond(response: Response, { isAllowed, remaining, resetSeconds }: Decision): void {
    // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/
    response.setHeader("RateLimit-Policy", `"key";q=${limit};w=${windowSeconds}`);
    response.setHeader("RateLimit", `"key";r=${remaining};t=${resetSeconds}`);
    if (isAllowed) return;
    throw tooMany(`This key may send ${limit} requests in ${windowSeconds} seconds`, resetSeconds);
  }

  return {
    admit({ keyId, operationId, response }) {
      if (keys === undefined || !LIMITED.has(operationId)) return;
      const decision = keys.take(keyId);
      if (!(decision instanceof Promise)) {
        respond(response, decision);
        return;
      }
      return decision.then((decided) => {
        respond(response, decided);
      });
    },

    countFailure(request, operationId) {
      if (networks === undefined) return;
      const network =
        toNetwork(request.ip ?? "") ?? toNetwork(request.socket.remoteAddress ?? "") ?? "unknown";
      // Without a store, `take` never returns a promise.
      const { isAllowed, resetSeconds } = networks.take(network) as Decision;
      if (isAllowed || !LIMITED.has(operationId)) return;
      logNetwork(network);
      throw tooMany("Too many requests with invalid keys from your network", resetSeconds);
    },
  };
}

function tooMany(message: string, seconds: number): HttpError {
  return HttpError.refusal("too_many_requests", { message, headers: { "Retry-After": String(seconds) } });
}

/** Drops calls that follow too soon: a flood of requests must not flood the log. */
function atMostEvery<T>(ms: number, log: (what: T) => void): (what: T) => void {
  let next = -Infinity;
  return (what) => {
    const now = performance.now();
    if (now < next) return;
    next = now + ms;
    log(what);
  };
}
