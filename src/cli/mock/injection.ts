import type { Operation } from "tenon/core/model";
import { type Chosen, toStatus } from "./choose-response.js";
import { toSeed } from "./try-values.js";

export interface InjectionOptions {
  /** Milliseconds before each response, and before each further item of a stream, between the two bounds. Default: none. */
  readonly delay?: readonly [least: number, most: number];
  /** Share of responses that are errors, 0 to 1. Default: 0. */
  readonly errors?: number;
  /** The same seed gives the same sequence of delays, errors and responses. Default: `1`. */
  readonly seed?: string;
}

/** Creates the delays and errors that a client has to handle. */
export function createFaultInjection(options: InjectionOptions) {
  const { delay: [least, most] = [0, 0], errors = 0, seed = "1" } = options;
  let delays = 0;
  let choices = 0;

  /** Resolves when the response, or the next item, may be sent. */
  async function delay(): Promise<void> {
    if (most === 0) return;
    delays += 1;
    await wait(least + toShare(seed, "delay", delays) * (most - least));
  }

  return {
    delay,
    /** Yields each item after a delay, but for the first, which is the response. */
    async *pace(items: Iterable<unknown>): AsyncGenerator<unknown, void> {
      let index = 0;
      for (const item of items) {
        if (index > 0) await delay();
        index += 1;
        yield item;
      }
    },
    /** Chooses a declared error for the requested share of responses; undefined for the others. */
    choose(operation: Operation): Chosen | undefined {
      if (errors === 0) return undefined;
      choices += 1;
      if (toShare(seed, "error", choices) >= errors) return undefined;
      const possible = listErrors(operation);
      return possible[Math.floor(toShare(seed, "which", choices) * possible.length)];
    },
  };
}

/** @param time In milliseconds. */
export function wait(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}

/** The declared errors that do not depend on the request: 429 and 5xx. */
function listErrors(operation: Operation): readonly Chosen[] {
  return operation.responses.flatMap((response) => {
    if (!/^(?:429|5\d\d|5XX)$/i.test(response.status) || response.status === "501") return [];
    const status = toStatus(operation, response);
    return status === undefined ? [] : [{ response, status }];
  });
}

/** A number from 0 up to, but excluding, 1. */
function toShare(...parts: readonly unknown[]): number {
  return (toSeed(...parts) >>> 0) / 2 ** 32;
}
