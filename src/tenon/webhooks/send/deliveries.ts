import { findDelay, type RetryOptions } from "../../client/attempts.js";
import type { EventStore, StoredEvent } from "./event-store.js";
import { postEvent } from "./post-event.js";
import { RefusedAddressError, type Resolve } from "./receiver-address.js";
import type { SignatureScheme } from "../signatures/signature.js";

/**
 * An attempt to deliver an event, for logs and metrics. It contains no URL, because they often contain secrets.
 * @example
 * const onAttempt = ({ id, outcome, reason }: DeliveryAttempt) => {
 *   if (outcome !== "delivered") console.warn(id, outcome, reason);
 * };
 */
export interface DeliveryAttempt {
  readonly id: string;
  readonly name: string;
  readonly receiver: string | undefined;
  /** From 1 on. */
  readonly attempt: number;
  /** `gone` is a dead letter whose receiver responded 410: end its subscription. */
  readonly outcome: "delivered" | "retry" | "dead" | "gone";
  /** The failure: `status 503`, `no response: ECONNREFUSED`. */
  readonly reason: string | undefined;
}

export interface DeliveriesOptions {
  readonly store: EventStore;
  readonly toScheme: (event: StoredEvent) => SignatureScheme | Promise<SignatureScheme>;
  readonly allowed: ReadonlySet<string>;
  readonly resolve: Resolve;
  readonly timeout: number;
  readonly retry: RetryOptions;
  readonly concurrency: number;
  readonly pollInterval: number;
  readonly now: () => number;
  readonly onAttempt: (attempt: DeliveryAttempt) => void;
  readonly onError: (error: unknown) => void;
}

/** Time for the store, in milliseconds: a claim ends this long after the time limit of its request. */
const CLAIM_REST = 30_000;

/** How many hosts are known to be prompt. */
const MAX_PROMPT = 10_000;

/** Delivers the due events of a store until it is stopped. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #running = new Set<Promise<void>>();
  /** Number of running requests by host. */
  readonly #hosts = new Map<string, number>();
  /** Hosts whose last request ended in time, with or without a response; the oldest first. */
  readonly #prompt = new Set<string>();
  /** Ids of events that wait for the result of the request to their host. */
  readonly #postponed = new Map<string, string[]>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | undefined;
  /** True if an event was added since the last claim began. */
  #isDue = false;
  #isStarted = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stopping.signal.aborted) throw new Error("The sender was stopped; create another one");
    this.#isStarted = true;
    this.wake();
  }

  /** Claims due events soon; never before the caller's synchronous code, such as a transaction, has ended. */
  wake(delay = 0): void {
    if (!this.#isStarted || this.#stopping.signal.aborted) return;
    if (delay === 0) this.#isDue = true;
    if (this.#claiming !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#claiming = this.#claim()
        .then(() => undefined, this.#options.onError)
        .finally(() => {
          this.#claiming = undefined;
          this.wake(this.#isDue ? 0 : this.#options.pollInterval);
        });
    }, delay);
    // Waiting for events does not keep a process alive.
    this.#timer.unref();
  }

  /** Makes one attempt for each event that is due, and waits for the results. */
  async deliverDue(): Promise<void> {
    while (!this.#stopping.signal.aborted && (await this.#claim()) > 0) await Promise.all(this.#running);
  }

  /** Ends the running requests, whose events are due again, and waits until the store is no longer used. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#claiming;
    await Promise.all(this.#running);
  }

  /** @returns the number of claimed events. */
  async #claim(): Promise<number> {
    const { store, now, timeout, concurrency } = this.#options;
    this.#isDue = false;
    const limit = concurrency - this.#running.size;
    if (limit <= 0) return 0;
    const time = now();
    const events = await store.claim({ now: time, until: time + timeout + CLAIM_REST, limit });
    for (const event of events) {
      // One request at a time finds out whether the host responds. More would keep the events of others waiting.
      const { host } = new URL(event.url);
      if (this.#isStarted && !this.#prompt.has(host) && this.#hosts.has(host)) {
        await store.release(event.id, time + timeout + CLAIM_REST);
        const postponed = this.#postponed.get(host) ?? [];
        postponed.push(event.id);
        this.#postponed.set(host, postponed);
        if (!this.#hosts.has(host)) await this.#resume(host);
        this.#isDue = true;
        continue;
      }
      this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
      const running = this.#deliver(event)
        .catch(this.#options.onError)
        .then(() => {
          const others = (this.#hosts.get(host) ?? 1) - 1;
          if (others > 0) this.#hosts.set(host, others);
          else this.#hosts.delete(host);
          return this.#resume(host);
        })
        .catch(this.#options.onError)
        .finally(() => {
          const wasFull = this.#running.size === concurrency;
          this.#running.delete(running);
          if (wasFull) this.wake();
        });
      this.#running.add(running);
    }
    return events.length;
  }

  async #deliver(event: StoredEvent): Promise<void> {
    const { store, retry, now } = this.#options;
    const { id, attempts } = event;
    const attempt = attempts + 1;
    const { status, retryAfter, reason, isFinal } = await this.#post(event);
    if (reason === undefined) {
      await store.remove(id);
      this.#report(event, "delivered");
      return;
    }
    if (this.#stopping.signal.aborted && status === undefined) {
      await store.release(id, now());
      return;
    }
    const response = new Response(null, {
      headers: retryAfter === undefined ? {} : { "Retry-After": retryAfter },
    });
    const delay = isFinal ? undefined : findDelay(attempt, response, retry);
    if (delay === undefined) {
      await store.bury(id, reason);
      this.#report(event, status === 410 ? "gone" : "dead", reason);
      return;
    }
    await store.retry(id, Math.ceil(now() + delay));
    this.#report(event, "retry", reason);
    this.#wakeAfter(delay);
  }

  /** Wakes before the next poll for an event that is due earlier. */
  #wakeAfter(delay: number): void {
    if (delay >= this.#options.pollInterval) return;
    setTimeout(() => {
      this.wake();
    }, delay + 1).unref();
  }

  async #post(event: StoredEvent): Promise<Attempted> {
    const { id, url, method } = event;
    const body = Buffer.from(event.body);
    let signed: Readonly<Record<string, string>>;
    try {
      const scheme = await this.#options.toScheme(event);
      signed = scheme.sign({ id, timestamp: Math.floor(this.#options.now() / 1_000), body });
    } catch (error) {
      this.#options.onError(error);
      return { reason: "no signature", isFinal: false };
    }
    try {
      const post = { url, method, body, headers: { ...event.headers, ...signed } };
      const result = await postEvent(post, { ...this.#options, signal: this.#stopping.signal });
      const { status } = result;
      this.#learn(url, true);
      if (status >= 200 && status < 300) return { ...result, reason: undefined, isFinal: true };
      return { ...result, reason: status === 410 ? "gone" : `status ${status}`, isFinal: status === 410 };
    } catch (error) {
      const isFinal = error instanceof RefusedAddressError;
      const code = toCode(error);
      this.#learn(url, code !== TIMEOUT);
      return { reason: isFinal ? error.message : `no response: ${code}`, isFinal };
    }
  }

  #learn(url: string, isPrompt: boolean): void {
    const { host } = new URL(url);
    this.#prompt.delete(host);
    if (isPrompt) this.#prompt.add(host);
    const [oldest] = this.#prompt;
    if (this.#prompt.size > MAX_PROMPT && oldest !== undefined) this.#prompt.delete(oldest);
  }

  /** Makes the postponed events of a host due now if it is prompt. Otherwise they are due when their claim would have ended. */
  async #resume(host: string): Promise<void> {
    const ids = this.#postponed.get(host);
    if (ids === undefined) return;
    this.#postponed.delete(host);
    if (!this.#prompt.has(host)) return;
    for (const id of ids) await this.#options.store.release(id, this.#options.now());
    this.wake();
  }

  #report(
    { id, name, receiver, attempts }: StoredEvent,
    outcome: DeliveryAttempt["outcome"],
    reason?: string,
  ): void {
    this.#options.onAttempt({ id, name, receiver, attempt: attempts + 1, outcome, reason });
  }
}

interface Attempted {
  readonly status?: number;
  readonly retryAfter?: string | undefined;
  /** Undefined if the event was delivered. */
  readonly reason: string | undefined;
  /** Further attempts would fail, too. */
  readonly isFinal: boolean;
}

const TIMEOUT = "timeout";

/** The code of an error. Its message may contain the host or path. */
function toCode(error: unknown): string {
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { name?: unknown } };
  if (name === "AbortError" && cause?.name === "TimeoutError") return TIMEOUT;
  return typeof code === "string" ? code : String(name);
}
