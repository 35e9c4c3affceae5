import type { Request, Response } from "express";
import { HttpError } from "tenon/runtime";
import { operations } from "../../../generated/v1/server.js";
import type { Logger } from "../log.js";
import type { RateStore } from "../store/store.js";
import { toNetwork } from "./network.js";
import type { Rate } from "./rate.js";
import { type Decision, RateLimiter } from "./rate-limiter.js";

/** How often, in milliseconds, a log line tells of the same thing. */
const TELL_MS = 60_000;

/** The contract says which operations limit their callers: those that declare 429. */
const LIMITED: ReadonlySet<string> = new Set(
  operations.filter(({ responses }) => "429" in responses).map(({ id }) => id),
);

export interface RequestLimitsOptions {
  /** For each key. */
  readonly rateLimit: Rate | "off";
  /** For keys that are not valid, by the network that they come from. */
  readonly failedAuthLimit: Rate | "off";
  /** Where processes share what keys have used; absent where there is one process. */
  readonly rates: RateStore | undefined;
  readonly logger: Logger;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** An authenticated call, before anything of it is read. */
export interface KeyCall {
  readonly keyId: string;
  readonly operationId: string;
  readonly response: Response;
}

/** What callers may not do too often. Both throw the {@link HttpError} that refuses the request. */
export interface RequestLimits {
  /** Counts a call for its key, and tells in the answer's headers what is left. */
  admit(call: KeyCall): void | Promise<void>;
  /** Counts a key that is not valid. Whoever has a valid one is let in, however many others of the network have none. */
  countFailure(request: Request, operationId: string): void;
}

export function createRequestLimits(options: RequestLimitsOptions): RequestLimits {
  const { rateLimit, failedAuthLimit, rates, logger, now } = options;
  const tellOfStore = atMostEvery(TELL_MS, (error: unknown) => {
    logger.warn({ err: error }, "rates are not shared: the store does not answer");
  });
  const tellOfNetwork = atMostEvery(TELL_MS, (network: string) => {
    logger.warn({ network }, "too many keys that are not valid");
  });
  const keys =
    rateLimit === "off"
      ? undefined
      : new RateLimiter(rateLimit, { store: rates, onFailure: tellOfStore, now });
  const networks = failedAuthLimit === "off" ? undefined : new RateLimiter(failedAuthLimit, { now });
  const { limit, windowSeconds } = rateLimit === "off" ? { limit: 0, windowSeconds: 0 } : rateLimit;

  function answer(response: Response, { isAllowed, remaining, resetSeconds }: Decision): void {
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
        answer(response, decision);
        return;
      }
      return decision.then((decided) => {
        answer(response, decided);
      });
    },

    countFailure(request, operationId) {
      if (networks === undefined) return;
      const network =
        toNetwork(request.ip ?? "") ?? toNetwork(request.socket.remoteAddress ?? "") ?? "unknown";
      // Without a store it is no promise.
      const { isAllowed, resetSeconds } = networks.take(network) as Decision;
      if (isAllowed || !LIMITED.has(operationId)) return;
      tellOfNetwork(network);
      throw tooMany("Too many keys that are not valid come from your network", resetSeconds);
    },
  };
}

function tooMany(message: string, seconds: number): HttpError {
  return HttpError.refusal("too_many_requests", { message, headers: { "Retry-After": String(seconds) } });
}

/** Drops what comes sooner: whoever floods the service must not flood its log too. */
function atMostEvery<T>(ms: number, tell: (what: T) => void): (what: T) => void {
  let next = -Infinity;
  return (what) => {
    const now = performance.now();
    if (now < next) return;
    next = now + ms;
    tell(what);
  };
}
