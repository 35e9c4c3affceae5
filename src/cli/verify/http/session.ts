import { setTimeout as wait } from "node:timers/promises";
import type { Answer } from "./answer.js";
import type { Client, Silence } from "./client.js";
import type { WireRequest } from "./write-request.js";

export interface Limits {
  /** Requests at most. */
  readonly requests: number;
  /** Milliseconds at most, from the start. */
  readonly time: number;
  /** Requests a second at most. */
  readonly rate: number;
}

/** Requests or time are used up; the message says which. */
export class Exhausted extends Error {
  override readonly name = "Exhausted";
}

/** Nobody listens, or nobody lets us in: there is nothing to verify. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** A client that keeps to limits, and waits where it is asked to. */
export interface Session {
  /**
   * @throws {Exhausted}
   * @throws {Unreachable} when nobody listens, from the first request on.
   */
  send(request: WireRequest): Promise<Answer | Silence>;
  readonly sent: number;
}

/** How often a request is sent again that came too early. */
const RETRIES = 5;

export function createSession(client: Client, limits: Limits, now: () => number): Session {
  const start = now();
  let sent = 0;
  let answered = false;
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
        const answer = await client.send(request);
        if (answer.status === undefined && answer.kind === "refused" && !answered) {
          throw new Unreachable(answer.message);
        }
        answered = true;
        const pause = answer.status === 429 ? toPause(answer) : undefined;
        if (pause === undefined || tries >= RETRIES) return answer;
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

/** Milliseconds that 429 asks to wait; a second when it does not say. */
function toPause({ headers }: Answer): number {
  const after = headers["retry-after"];
  const seconds = Number(after);
  if (after !== undefined && Number.isFinite(seconds)) return seconds * 1000;
  const instant = Date.parse(after ?? "");
  return Number.isNaN(instant) ? 1000 : Math.max(0, instant - Date.now());
}
