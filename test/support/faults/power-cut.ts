import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";
import { loadSqliteDriver } from "../../../src/petstore/store/sqlite/driver.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import type { PetJson } from "../petstore.js";
import { Disk, LEFTOVERS, type Leftover } from "./disk.js";
import { Ledger } from "./ledger.js";
import { issueKey, runService } from "./service.js";
import { readTrace, toTraceCommand, type TraceEvent } from "./trace.js";
import { Writers } from "./writers.js";

/** Few, so that there are many commits. */
const WRITERS = 4;

export interface PowerCutOptions {
  /** Moments at which the power is cut. */
  readonly cuts: number;
  /** Animals that are created while it is recorded. */
  readonly creations: number;
  readonly seed: number;
  /** An empty folder, on a disk whose paths are no symbolic links. */
  readonly folder: string;
  /** Arguments of Node.js that run the service. */
  readonly argv: readonly string[];
}

export interface PowerCutReport {
  readonly answered: number;
  readonly writes: number;
  readonly syncs: number;
  readonly cuts: number;
  /** Cuts after which an answered animal was not there or not as answered, by what the cut left of unsynced writes. */
  readonly cutsWithLoss: Readonly<Record<Leftover, number>>;
  /** Cuts after which the database did not open or is damaged. */
  readonly damaged: number;
  readonly problems: readonly string[];
}

/**
 * Records every write and sync of the service while animals are created, and what it answers; then rebuilds the files as
 * the disk might have them at random moments, opens them, and looks for what had been answered by then.
 */
export async function powerCuts({
  cuts,
  creations,
  seed,
  folder,
  argv,
}: PowerCutOptions): Promise<PowerCutReport> {
  const live = join(folder, "live");
  const file = join(live, "pets.db");
  mkdirSync(live);
  const trace = join(folder, "trace");
  const key = await issueKey(`sqlite:${file}`);
  const before = new Map([[file, readFileSync(file)]]);
  await record({ argv, databaseUrl: `sqlite:${file}`, trace, key, creations });

  const events = readTrace(trace);
  const answers = events.map(toAnswer);
  const first = answers.findIndex((answer) => answer !== undefined);
  const random = createRandom(seed);
  const moments = Array.from(
    { length: cuts },
    () => first + 1 + Math.floor(random() * (events.length - first)),
  );
  moments.sort((a, b) => a - b);

  const disk = new Disk(live, before);
  const answered: PetJson[] = [];
  const cutsWithLoss = { nothing: 0, writes: 0, sectors: 0 };
  const problems: string[] = [];
  let damaged = 0;
  let now = 0;
  for (const [index, moment] of moments.entries()) {
    for (; now < moment; now++) {
      const [event, answer] = [events[now], answers[now]];
      if (event !== undefined) disk.apply(event);
      if (answer !== undefined) answered.push(answer);
    }
    const leftover = LEFTOVERS[index % LEFTOVERS.length] ?? "nothing";
    const rebuilt = join(folder, "rebuilt");
    rmSync(rebuilt, { recursive: true, force: true });
    mkdirSync(rebuilt);
    disk.cut(rebuilt, leftover, random);
    const { missing, damage } = await inspect(join(rebuilt, "pets.db"), answered);
    const where = `cut ${index} after event ${moment}, with ${leftover} left`;
    if (damage !== undefined) {
      damaged += 1;
      problems.push(`${where}: ${damage}`);
    } else if (missing > 0) {
      cutsWithLoss[leftover] += 1;
      problems.push(`${where}: ${missing} of ${answered.length} answered animals are not there`);
    }
  }
  const count = (kind: TraceEvent["kind"]) =>
    events.filter((event) => event.kind === kind && "path" in event && event.path.startsWith(live)).length;
  return {
    answered: answers.filter((answer) => answer !== undefined).length,
    writes: count("write"),
    syncs: count("sync"),
    cuts,
    cutsWithLoss,
    damaged,
    problems: problems.slice(0, 10),
  };
}

interface Recording {
  readonly argv: readonly string[];
  readonly databaseUrl: string;
  readonly trace: string;
  readonly key: string;
  readonly creations: number;
}

async function record({ argv, databaseUrl, trace, key, creations }: Recording): Promise<void> {
  const service = await runService({ argv, databaseUrl, under: toTraceCommand(trace) });
  const writers = new Writers(new Ledger(), { port: service.port, key }, WRITERS);
  await writers.progress(creations);
  await writers.stop();
  // The service alone, so that what follows it writes down all.
  process.kill(service.pid, "SIGTERM");
  await service.ended;
}

/** The animal of an answer 201; undefined for anything else that is sent or done. */
function toAnswer(event: TraceEvent): PetJson | undefined {
  if (event.kind !== "send" || !event.text.startsWith("HTTP/1.1 201 ")) return undefined;
  return JSON.parse(event.text.slice(event.text.indexOf("\r\n\r\n"))) as PetJson;
}

async function inspect(
  file: string,
  answered: readonly PetJson[],
): Promise<{ readonly missing: number; readonly damage?: string }> {
  try {
    const store = await openSqliteStore(file);
    const pets = new Map<number, unknown>();
    for (let after: number | undefined = 0; after !== undefined;) {
      const page = await store.pets.list({ limit: 1000, after });
      for (const pet of page.pets) pets.set(pet.id, pet);
      after = page.next;
    }
    await store.close();
    const database = new (loadSqliteDriver().DatabaseSync)(file);
    const { integrity_check: verdict } = database.prepare("pragma integrity_check").get() as {
      integrity_check: string;
    };
    database.close();
    const missing = answered.filter((pet) => !isDeepStrictEqual(pets.get(pet.id), pet)).length;
    return verdict === "ok" ? { missing } : { missing, damage: verdict };
  } catch (error) {
    return { missing: 0, damage: (error as Error).message };
  }
}

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
