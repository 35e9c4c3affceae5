import type { Operation, OutgoingOperation } from "tenon/core/model";
import type { Exchange } from "../checks/index.js";
import type { Run } from "../run/run.js";
import { checkCallback } from "./check-callback.js";
import type { ReceivedRequest } from "./receiver.js";

/** The requests that arrive for the callbacks of one call, checked once the call has its response: expressions refer to it. */
export class Arrivals {
  readonly #operation: Operation;
  readonly #run: Run;
  /** Names of the callbacks that have not arrived. */
  readonly #missing: Set<string>;
  /** Resolves when all have arrived. */
  readonly #all: Promise<void>;
  #resolve = (): void => undefined;
  #early: (() => void)[] = [];
  #exchange: Exchange | undefined;

  constructor(operation: Operation, callbacks: readonly OutgoingOperation[], run: Run) {
    this.#operation = operation;
    this.#run = run;
    this.#missing = new Set(callbacks.map(({ outgoing }) => outgoing.name));
    this.#all = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** @param callbacks Those whose URL begins with the address that received it. */
  add(request: ReceivedRequest, callbacks: readonly OutgoingOperation[]): void {
    const exchange = this.#exchange;
    if (exchange === undefined)
      this.#early.push(() => {
        this.add(request, callbacks);
      });
    else this.#checkOne(request, callbacks, exchange);
  }

  /** Waits for the rest. @returns the names of those that did not arrive in time. */
  async check(exchange: Exchange): Promise<ReadonlySet<string>> {
    this.#exchange = exchange;
    for (const add of this.#early) add();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#run.callbackTime)));
    if (this.#missing.size > 0) await Promise.race([this.#all, late]);
    clearTimeout(timer);
    return this.#missing;
  }

  #checkOne(request: ReceivedRequest, callbacks: readonly OutgoingOperation[], exchange: Exchange): void {
    const found = checkCallback(request, callbacks, { exchange, validator: this.#run.responses });
    for (const { outgoing } of found.callbacks) this.#missing.delete(outgoing.name);
    if (this.#missing.size === 0) this.#resolve();
    if (found.problem === undefined) return;
    const { id } = this.#operation;
    const name = found.callbacks[0]?.outgoing.name;
    const label = name === undefined ? `a callback of ${id}` : `the callback ${name} of ${id}`;
    const { message, detail } = found.problem;
    const text = `${request.method} ${request.path}, ${label}: ${message}`;
    this.#run.report({ check: "callbacks", message: text, detail: `${name ?? ""} ${detail}` }, [exchange]);
  }
}
