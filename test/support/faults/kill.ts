import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresServer } from "../postgres/server.js";
import { Ledger, type Tally } from "./ledger.js";
import { childrenOf, issueKey, runService, type RunningService } from "./service.js";
import { becomes, readAfter, Writers, type Target } from "./writers.js";

const WRITERS = 16;

/** Longest time from the first answer of a round to the kill, in milliseconds. */
const LONGEST_MS = 400;

/** What is killed with -9: the service with all its processes, one of its workers, or the database server. */
export type Victim = "service" | "worker" | "server";

export interface KillOptions {
  readonly rounds: number;
  readonly databaseUrl: string;
  /** Arguments of Node.js that run the service. */
  readonly argv: readonly string[];
  /** `WEB_CONCURRENCY`; a worker is among the victims with 2 or more. Default: 1. */
  readonly processes?: number;
  /** The database server, to be killed in some rounds; it must not be in use by others. */
  readonly server?: Pick<PostgresServer, "start" | "stop"> | undefined;
  readonly onRound?: (round: number, tally: Tally) => void;
}

export interface KillReport extends Tally {
  readonly kills: Readonly<Record<Victim, number>>;
  /** Number of responses besides 201, by status. */
  readonly refused: Readonly<Record<string, number>>;
  /** What was found wrong, the first of many; none when all is as it must be. */
  readonly problems: readonly string[];
}

/** Kills at random moments while many write, starts again, and compares what is kept with what was answered. */
export async function killRounds(options: KillOptions): Promise<KillReport> {
  const { rounds, databaseUrl, processes = 1, server, onRound } = options;
  const key = await issueKey(databaseUrl);
  const ledger = new Ledger();
  const refused: Record<string, number> = {};
  const kills = { service: 0, worker: 0, server: 0 };
  const victims: readonly Victim[] = [
    "service",
    ...(processes > 1 ? (["worker"] as const) : []),
    ...(server !== undefined ? (["server"] as const) : []),
  ];
  const start = (): Promise<RunningService> =>
    runService({ ...options, env: { WEB_CONCURRENCY: String(processes) } });

  let after = 0;
  let service = await start();
  for (let round = 1; round <= rounds; round++) {
    const victim = victims[round % victims.length] ?? "service";
    const target: Target = { port: service.port, key };
    const writers = new Writers(ledger, target, WRITERS);
    await writers.progress(1);
    await sleep(Math.random() * LONGEST_MS);
    if (victim === "service") await service.kill();
    if (victim === "worker") process.kill(toOne(childrenOf(service.pid)), "SIGKILL");
    if (victim === "server") await server?.stop(Math.random() < 0.5 ? "SIGKILL" : "SIGQUIT");
    kills[victim] += 1;
    if (victim === "server") {
      await server?.start();
      await becomes(200, target);
    }
    if (victim !== "service") {
      // It goes on without a restart, then is killed all the same.
      await writers.progress(20);
      await service.kill();
    }
    await writers.stop();
    for (const [status, count] of writers.refused) refused[status] = (refused[status] ?? 0) + count;

    service = await start();
    const kept = await readAfter({ port: service.port, key }, after);
    ledger.check(kept, after);
    after = kept.at(-1)?.id ?? after;
    onRound?.(round, ledger.tally);
  }
  // Once more from the first: what was there after its round must still be.
  ledger.check(await readAfter({ port: service.port, key }, 0));
  await service.kill();
  return { ...ledger.tally, kills, refused, problems: ledger.problems };
}

function toOne(pids: readonly number[]): number {
  const pid = pids[Math.floor(Math.random() * pids.length)];
  if (pid === undefined) throw new Error("The service has no workers");
  return pid;
}
