import process from "node:process";
import { fileURLToPath } from "node:url";
import { Child } from "./child.js";
import type { ServerProcess } from "./server-process.js";

const OPEN_LOOP = fileURLToPath(new URL("open-loop.mjs", import.meta.url));

/** Requests that arrive at a rate, whether earlier ones have a response or not. */
export interface Arrivals {
  readonly requests: readonly string[];
  /** Requests per second. */
  readonly rate: number;
  readonly milliseconds: number;
  /** Maximum number of open connections. */
  readonly connections: number;
  /** Number of connections that are opened before the first request. */
  readonly prepared: number;
  /** Time to wait for responses after the last request, in milliseconds. Default: 3,000. */
  readonly patience?: number;
}

/** The requests that were due, by their outcome. */
export interface Outcomes {
  readonly due: number;
  /** Requests that no connection was left for. */
  readonly unsent: number;
  /** Requests whose connection was lost. */
  readonly lost: number;
  readonly unanswered: number;
  /** Status, when the request was due, and how long it took from then; both in milliseconds. */
  readonly answers: readonly (readonly [status: number, due: number, latency: number])[];
}

/** The process that sends requests at a rate, on the core that is not the servers'. */
export class OpenLoop {
  readonly #child = new Child([OPEN_LOOP], { core: "load", node: process.execPath });

  async run(server: Pick<ServerProcess, "url" | "emptyLog">, arrivals: Arrivals): Promise<Outcomes> {
    const port = Number(new URL(server.url).port);
    const { result, error } = await this.#child.ask<{ result?: Outcomes; error?: string }>({
      port,
      ...arrivals,
    });
    server.emptyLog();
    if (result === undefined) throw new Error(error);
    return result;
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
