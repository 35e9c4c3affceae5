import { randomUUID } from "node:crypto";
import type { SignatureScheme } from "tenon/webhooks";
import type { SampleEvent } from "./sample-event.js";

/** Milliseconds for a response. */
const TIMEOUT = 15_000;

/** How an event is delivered. */
export interface Delivery {
  readonly to: URL;
  readonly scheme: SignatureScheme;
}

/** The signed parts of an event. Default: a new id, and the time. */
export interface Signed {
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
}

/** Creates an id that a receiver has not seen. */
export function createEventId(): string {
  return `msg_${randomUUID().replaceAll("-", "")}`;
}

/** Returns an event with its signature. */
export function signEvent(
  { headers, ...event }: SampleEvent,
  scheme: SignatureScheme,
  { id = createEventId(), time = Date.now() }: Signed = {},
): SampleEvent {
  const signed = scheme.sign({ id, timestamp: Math.floor(time / 1_000), body: Buffer.from(event.body) });
  return { ...event, headers: { ...headers, ...signed } };
}

/** Sends an event once. @returns the status, or the reason why there is none. */
export async function deliver({ method, headers, body }: SampleEvent, to: URL): Promise<number | string> {
  try {
    const response = await fetch(to, {
      method: method.toUpperCase(),
      headers,
      ...(body !== "" && { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === "TimeoutError") return `no response within ${TIMEOUT / 1_000} s`;
    return cause instanceof Error && cause.message !== "" ? cause.message : message;
  }
}
