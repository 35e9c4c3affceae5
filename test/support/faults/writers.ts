import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeCursor } from "../../../src/petstore/handlers/cursor.js";
import { send } from "../http.js";
import { until } from "../until.js";
import type { PetJson } from "../petstore.js";
import type { Ledger } from "./ledger.js";

/** Where a service answers, and a key to it. */
export interface Target {
  readonly port: number;
  readonly key: string;
}

/** Clients that each create one animal after another on a connection of their own, and never try one again. */
export class Writers {
  readonly #ledger: Ledger;
  readonly #target: Target;
  readonly #done: Promise<unknown>;
  #isStopped = false;
  /** Answers besides 201, by status; 0 is a connection that broke. */
  readonly refused = new Map<number, number>();
  /** Of the latest answers besides 201, the headers. */
  retryAfter: string | undefined;

  constructor(ledger: Ledger, target: Target, count: number) {
    this.#ledger = ledger;
    this.#target = target;
    this.#done = Promise.all(Array.from({ length: count }, () => this.#write()));
  }

  /** Resolves when so many more were answered 201, or the writers were stopped. */
  async progress(count: number): Promise<void> {
    const goal = this.#ledger.answered + count;
    await until(() => this.#ledger.answered >= goal || this.#isStopped);
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #write(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { port, key } = this.#target;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    while (!this.#isStopped) {
      const pet = this.#ledger.next();
      const body = JSON.stringify(pet);
      const options = { method: "POST", headers, body, agent };
      // A body that is cut short rejects, too.
      const answer = await send(port, "/v1/pets", options).catch(() => undefined);
      if (answer?.status === 201) this.#ledger.answer(pet, answer.json as PetJson);
      else {
        const status = answer?.status ?? 0;
        this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
        this.retryAfter = answer?.headers["retry-after"];
        await sleep(5);
      }
    }
    agent.destroy();
  }
}

/** Every animal with an `id` above `after`, by way of the service. */
export async function readAfter({ port, key }: Target, after: number): Promise<readonly PetJson[]> {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${key}` };
  const pets: PetJson[] = [];
  let path = `/v1/pets?limit=100${after > 0 ? `&cursor=${encodeCursor(after)}` : ""}`;
  while (path !== "") {
    const page = await send(port, path, { headers, agent });
    if (page.status !== 200) throw new Error(`Cannot list pets: ${page.text}`);
    for (const pet of page.json as PetJson[]) pets.push(pet);
    path = /<(.+)>/.exec(String(page.headers["link"] ?? ""))?.[1] ?? "";
  }
  agent.destroy();
  return pets;
}

/** Resolves when readiness has this status. */
export const becomes = (status: number, { port }: Pick<Target, "port">): Promise<void> =>
  until(async () => (await send(port, "/readyz").catch(() => undefined))?.status === status);
