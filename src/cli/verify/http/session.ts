import { setTimeout as wait } from "node:timers/promises";
import type { WireRequest } from "../messages/index.js";
import type { Client, NoResponse } from "./client.js";
import type { ServiceResponse } from "../messages/index.js";

export interface Limits {
  /** Maximum number of requests. */
  readonly requests: number;
  /** Maximum time from the start, in milliseconds. */
  readonly time: number;
  /** Maximum number of requests per second. */
  readonly rate: number;
}

/** The limit of requests or time is reached; the message says which. */
export class Exhausted extends Error {
  override readonly name = "Exhausted";
}

/** The service cannot be reached. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** A client that enforces limits, and waits when a 429 asks for it. */
export interface Session {
  /**
   * @throws {Exhausted}
   * @throws {Unreachable} when the first connection is refused.
   */
  send(request: WireRequest): Promise<ServiceResponse | NoResponse>;
  readonly sent: number;
}

/** Attempts after a 429. */
const RETRIES = 5;

export function createSession(client: Client, limits: Limits, now: () => number): Session {
  const start = now();
  let sent = 0;
  let isReached = false;
  let next = start;

  const pass = async (): Promise<void> => {
    if (sent >= limits.requests) throw new Exhausted(`${limits.requests} requests were sent`);
    if (now() - start >= limits.time) throw new Exhausted(`${limits.time / 1000} s have passed`);
    const early = next - now();
    if (early > 0) await wait(early);
    next = Math.max(now(), next) + 1000 / limits.rate;
    sent += 1;
  };

  return {
    async send(request) {
      for (let tries = 0; ; tries += 1) {
        await pass();
        const response = await client.send(request);
        if (response.status === undefined && response.kind === "refused" && !isReached) {
          throw new Unreachable(response.message);
        }
        isReached = true;
        const pause = response.status === 429 ? toPause(response) : undefined;
        if (pause === undefined || tries >= RETRIES) return response;
        const left = start + limits.time - now();
        if (pause > left) throw new Exhausted(`the service asks to wait for ${Math.ceil(pause / 1000)} s`);
        await wait(pause);
      }
    },
    get sent() {
      return sent;
    },
  };
}

/** Milliseconds that a 429 asks to wait. Default: a second. */
function toPause({ headers }: ServiceResponse): number {
  const after = headers["retry-after"];
  const seconds = Number(after);
  if (after !== undefined && Number.isFinite(seconds)) return seconds * 1000;
  const instant = Date.parse(after ?? "");
  return Number.isNaN(instant) ? 1000 : Math.max(0, instant - Date.now());
}
