import { evaluateTemplate, type Exchange, isLoopback } from "tenon/core/http";
import type { Contract, Operation } from "tenon/core/model";
import type { SignatureScheme } from "tenon/webhooks";
import { toSentRequests } from "tenon/webhooks/internal";
import { deliver, signEvent } from "./deliver.js";
import { makeSampleEvent } from "./sample-event.js";

export interface CallbackOptions {
  /** Signs the requests. Default: they are not signed. */
  readonly scheme: SignatureScheme | undefined;
  /** Called for each callback, also for one that is not sent. */
  readonly onCallback: (sent: SentCallback) => void;
}

/** A callback and what became of it. */
export interface SentCallback {
  /** The operation and the callback: `createOrder.orderShipped`. */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  /** The status of the response, or the reason why there is none. */
  readonly result: number | string;
}

/** Sends the callbacks of an operation that was called. */
export type SendCallbacks = (operation: Operation, exchange: Exchange) => Promise<void>;

/**
 * Creates the function that sends samples of a contract's callbacks, one after the other, to receivers on this machine: the caller
 * of an operation chooses the URL. A callback is left out if its URL cannot be derived from the exchange.
 */
export function createCallbackSender(
  contract: Contract,
  { scheme, onCallback }: CallbackOptions,
): SendCallbacks {
  const { callbacks } = toSentRequests(contract);
  return async ({ id }, exchange) => {
    for (const callback of callbacks.get(id) ?? []) {
      const { name, expression = "" } = callback.outgoing;
      const url = evaluateTemplate(expression, exchange);
      if (url === undefined) continue;
      const result = await send(url, () => {
        const event = makeSampleEvent(contract, callback, { seed: 1, headers: {} });
        return scheme === undefined ? event : signEvent(event, scheme);
      });
      onCallback({ name: `${id}.${name}`, method: callback.method, url, result });
    }
  };
}

async function send(url: string, makeEvent: () => ReturnType<typeof signEvent>): Promise<number | string> {
  if (!URL.canParse(url)) return "not sent: the URL is invalid";
  const to = new URL(url);
  if (!/^https?:$/.test(to.protocol) || !isLoopback(to.hostname))
    return "not sent: the receiver must be on this machine";
  try {
    return await deliver(makeEvent(), to);
  } catch (error) {
    return `not sent: ${(error as Error).message}`;
  }
}
