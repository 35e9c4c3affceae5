import type { ClientOperation } from "./contract.js";
import { MAX_TIMER } from "./streams/reconnect.js";

/**
 * Which failed attempts a client repeats, and when. Times are in milliseconds.
 * @example
 * const retry: RetryOptions = { attempts: 4, delay: 200, maxDelay: 5_000 };
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", retry });
 */
export interface RetryOptions {
  /** Maximum number of attempts after the first. Default: 2. */
  readonly attempts?: number;
  /** Upper limit of the random delay before the first repetition; it doubles with each attempt. Default: 500. */
  readonly delay?: number;
  /** Upper limit of all delays. A response whose `Retry-After` asks for more is not repeated. Default: 30,000. */
  readonly maxDelay?: number;
}

/**
 * An attempt of a call: a request that a client sends.
 * @example
 * const onRequest = ({ request, operation, attempt }: Attempt) => {
 *   console.log(operation.id, attempt, request.method, request.url);
 * };
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", onRequest });
 */
export interface Attempt {
  /** Number of the attempt, from 1 on. */
  readonly attempt: number;
  readonly operation: ClientOperation;
  readonly request: Request;
}

/**
 * Functions that a client calls for each attempt, in this order. A call rejects with what they throw.
 * @example
 * const hooks: Hooks = {
 *   onResponse: ({ operation, attempt, response }) => {
 *     console.log(operation.id, attempt, response.status);
 *   },
 * };
 * const petstore = createClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", ...hooks });
 */
export interface Hooks {
  /** Called before the request is sent. A returned request replaces it. */
  readonly onRequest?: (attempt: Attempt) => Replacement<Request>;
  /** Called with every response, before its body is read. A returned response replaces it. */
  readonly onResponse?: (attempt: Attempt & { readonly response: Response }) => Replacement<Response>;
  /** Called when there is no response, with the error of `fetch`. */
  readonly onError?: (attempt: Attempt & { readonly error: unknown }) => Replacement<undefined>;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a hook without a return replaces nothing
type Replacement<Type> = Type | undefined | void | Promise<Type | undefined | void>;

/**
 * A call took longer than its `timeout`.
 * @example
 * try {
 *   await client.listPets({ timeout: 5_000 });
 * } catch (error) {
 *   if (error instanceof CallTimeoutError) console.error(error.operationId, error.timeout);
 *   else throw error;
 * }
 */
export class CallTimeoutError extends Error {
  override readonly name = "CallTimeoutError";

  constructor(
    /** The `operationId`. */
    readonly operationId: string,
    /** Milliseconds. */
    readonly timeout: number,
  ) {
    super(`${operationId} took longer than ${timeout} ms`);
  }
}

export interface Deadline {
  /** Aborted by the caller, and at the deadline. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the deadline. */
  readonly left: () => number;
  /** Ends the timer; the caller's signal stays in force. */
  readonly end: () => void;
}

/** Starts the time of a call. */
export function startDeadline(
  timeout: number | false | undefined,
  given: AbortSignal | undefined,
  operationId: string,
): Deadline {
  if (timeout === undefined || timeout === false || timeout > MAX_TIMER)
    return { signal: given, left: () => Infinity, end: () => undefined };
  const controller = new AbortController();
  const start = performance.now();
  const timer = setTimeout(() => {
    controller.abort(new CallTimeoutError(operationId, timeout));
  }, timeout);
  return {
    signal: given ? AbortSignal.any([given, controller.signal]) : controller.signal,
    left: () => start + timeout - performance.now(),
    end: () => {
      clearTimeout(timer);
    },
  };
}

/** Statuses of a service that is temporarily unavailable. A 500 is usually an error that repeats. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

export function isTemporary({ status }: Response): boolean {
  return TEMPORARY.has(status);
}

/** Methods that have the same effect when a request arrives twice (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set([
  "get",
  "head",
  "options",
  "trace",
  "query",
  "put",
  "delete",
]);

export function isIdempotent({ method }: ClientOperation): boolean {
  return IDEMPOTENT.has(method);
}

/** Number of repetitions that a client may make at once. */
const CAPACITY = 10;

/** Part of a repetition that each call without one earns. */
const EARNED = 0.1;

/**
 * The repetitions that a client may still make: in the long run one for ten calls, so that clients of a service that is down do not
 * multiply its load.
 */
export class RetryBudget {
  #left = CAPACITY;

  earn(): void {
    this.#left = Math.min(CAPACITY, this.#left + EARNED);
  }

  /** Takes one repetition, if there is one. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/**
 * Returns the milliseconds until the next attempt; undefined if there must be none.
 * @param attempt Number of the attempt that failed.
 * @param response Its response, if there was one.
 */
export function findDelay(
  attempt: number,
  response: Response | undefined,
  { attempts = 2, delay = 500, maxDelay = 30_000 }: RetryOptions,
): number | undefined {
  if (attempt > attempts) return undefined;
  // The whole delay is random (full jitter), so that the clients of a service that was down do not return at the same time.
  const random = Math.random() * Math.min(maxDelay, delay * 2 ** (attempt - 1));
  const asked = readRetryAfter(response?.headers.get("Retry-After") ?? "");
  return asked > maxDelay ? undefined : Math.min(maxDelay, asked + random);
}

/** Reads seconds or a date (RFC 9110, section 10.2.3), as milliseconds from now; 0 for anything else. */
function readRetryAfter(text: string): number {
  if (/^\d+$/.test(text.trim())) return 1_000 * Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}

/** Makes a value of `Idempotency-Key`: a UUID, in the quotation marks of a structured field if the contract requires them. */
export function makeIdempotencyKey(form: NonNullable<ClientOperation["idempotencyKey"]>): string {
  // `crypto.randomUUID` exists in secure contexts only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) =>
    (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte)
      .toString(16)
      .padStart(2, "0"),
  ).join("");
  const key = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return form === "quoted" ? `"${key}"` : key;
}
