import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { CONTRACTS, type ComparedContract } from "./contracts.js";
import { INTENDED, type Observed, explain } from "./differences.js";
import { createRequests } from "./requests.js";
import { startPairs } from "./pairs.js";
import { toCurl } from "./request.js";

export interface RunOptions {
  /** How many requests there are in all, shared among the operations of the contracts. */
  readonly requests: number;
  readonly seed: number;
  /** Called after each request, with how many there were. */
  readonly onRequest?: (count: number) => void;
}

export interface Run {
  readonly requests: number;
  /** By both, with the same values or with an intended difference between them. */
  readonly accepted: number;
  /** By both. */
  readonly refused: number;
  /** How often each intended difference was seen, all of them named. */
  readonly intended: ReadonlyMap<string, number>;
  /** The smallest request of each contract that the two differ on for no known reason, in words. */
  readonly failures: readonly string[];
}

/** Sends generated requests to both servers of each contract and compares what they make of them. */
export async function runDifferential({ requests, seed, onRequest }: RunOptions): Promise<Run> {
  const counts = { requests: 0, accepted: 0, refused: 0 };
  const intended = new Map(INTENDED.map(({ name }) => [name, 0]));
  const failures: string[] = [];
  const all = CONTRACTS.map((contract) => ({ contract, operations: operationsOf(contract) }));
  const share = requests / all.reduce((sum, { operations }) => sum + operations.length, 0);

  const pairs = await startPairs();
  const check = async ({ contract, operations }: (typeof all)[number]): Promise<void> => {
    const { name, document, server } = contract;
    const target = { contract: name, document, basePath: server.basePath, operations };
    let last: Observed | undefined;
    const property = fc.asyncProperty(createRequests(target), async (request) => {
      const observed: Observed = { request, ...(await pairs.ask(request)) };
      const { ours, theirs } = observed;
      counts.requests += 1;
      if (ours.status === theirs.status) counts[ours.status === 200 ? "accepted" : "refused"] += 1;
      onRequest?.(counts.requests);
      if (isSame(observed)) return true;
      const known = explain(observed);
      if (known === undefined) last = observed;
      else intended.set(known.name, (intended.get(known.name) ?? 0) + 1);
      return known !== undefined;
    });
    const numRuns = Math.ceil(share * operations.length);
    const { failed } = await fc.check(property, { seed, numRuns });
    if (failed && last !== undefined) failures.push(describe(last, seed));
  };
  try {
    for (const one of all) await check(one);
  } finally {
    await pairs.stop();
  }
  return { ...counts, intended, failures };
}

/** Same status, and where it is 200 the same values, down to which of them there are. */
export function isSame({ ours, theirs }: Observed): boolean {
  return ours.status === theirs.status && isDeepStrictEqual(ours.seen, theirs.seen);
}

function operationsOf({ server, paths }: ComparedContract): ComparedContract["server"]["operations"] {
  return server.operations.filter(({ path }) => paths === undefined || paths.includes(path));
}

function describe({ request, ours, theirs }: Observed, seed: number): string {
  return [
    `${request.contract} ${request.operationId}, wrong: ${request.wrong}, seed ${seed}`,
    `  ${toCurl(request)}`,
    `  ours   ${JSON.stringify(ours)}`,
    `  theirs ${JSON.stringify(theirs)}`,
  ].join("\n");
}
