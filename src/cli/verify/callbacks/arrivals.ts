import type { Operation, OutgoingOperation } from "tenon/core/model";
import type { Exchange } from "../checks/index.js";
import type { Validator } from "../validator.js";
import { checkCallback } from "./check-callback.js";
import type { ReceivedRequest } from "./receiver.js";

export interface ArrivalsOptions {
  /** The operation that is called. */
  readonly operation: Operation;
  readonly callbacks: readonly OutgoingOperation[];
  /** Validates requests of the service. */
  readonly validator: Validator;
  /** Called for each callback that is not as declared; `detail` identifies the cause. */
  readonly onProblem: (problem: { message: string; detail: string }, exchange: Exchange) => void;
}

/** The requests that arrive for the callbacks of one call, checked once the call has its response: expressions refer to it. */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  /** Names of the callbacks that have not arrived. */
  readonly #missing: Set<string>;
  /** Resolves when all have arrived, or the time is over. */
  readonly #ended: Promise<void>;
  #resolve = (): void => undefined;
  /** Requests that arrived before the response, with the callbacks of their address. */
  readonly #early: (readonly [ReceivedRequest, readonly OutgoingOperation[]])[] = [];
  #exchange: Exchange | undefined;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
    this.#missing = new Set(options.callbacks.map(({ outgoing }) => outgoing.name));
    this.#ended = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** @param callbacks Those whose URL begins with the address that received it. */
  add(request: ReceivedRequest, callbacks: readonly OutgoingOperation[]): void {
    if (this.#exchange === undefined) this.#early.push([request, callbacks]);
    else this.#checkOne(request, callbacks, this.#exchange);
  }

  /**
   * Waits for the rest.
   * @param limit Maximum time, in milliseconds.
   * @returns the names of the callbacks that did not arrive in time.
   */
  async check(exchange: Exchange, limit: number): Promise<ReadonlySet<string>> {
    this.#exchange = exchange;
    for (const [request, callbacks] of this.#early) this.#checkOne(request, callbacks, exchange);
    if (this.#missing.size === 0) return this.#missing;
    const timer = setTimeout(() => {
      this.#resolve();
    }, limit);
    await this.#ended;
    clearTimeout(timer);
    return this.#missing;
  }

  #checkOne(request: ReceivedRequest, callbacks: readonly OutgoingOperation[], exchange: Exchange): void {
    const { operation, validator, onProblem } = this.#options;
    const found = checkCallback(request, callbacks, { exchange, validator });
    for (const { outgoing } of found.callbacks) this.#missing.delete(outgoing.name);
    if (this.#missing.size === 0) this.#resolve();
    if (found.problem === undefined) return;
    const name = found.callbacks[0]?.outgoing.name;
    const label =
      name === undefined ? `a callback of ${operation.id}` : `the callback ${name} of ${operation.id}`;
    const { message, detail } = found.problem;
    const text = `${request.method} ${request.path}, ${label}: ${message}`;
    onProblem({ message: text, detail: `${name ?? ""} ${detail}` }, exchange);
  }
}
