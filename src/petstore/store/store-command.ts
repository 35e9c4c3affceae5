import type { Command } from "commander";
import { addSubcommand, createCommand, type Output, runCommand } from "../command.js";
import { type CopyOptions, copyStore } from "./copy/copy.js";
import { openSide } from "./copy/side.js";
import { parseDatabaseUrl } from "./open.js";

/** Minimum time between two lines about the progress, in milliseconds. */
const PROGRESS_MS = 1000;

const URL_FORMS = "sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

const DISTRIBUTE_EXAMPLE = "--database postgres://petstore@coordinator.example/petstore";

const EXAMPLE = "--from sqlite:data/petstore.db --to postgres://petstore@db.example/petstore";

/**
 * The command behind `npm run store`.
 * @param argv Arguments after the program's name.
 * @returns Exit code: 0 success, 1 failure, 2 invalid usage.
 */
export function runStoreCommand(argv: readonly string[], output: Output): Promise<number> {
  const program = createCommand("store", `copy ${EXAMPLE}`, output);
  const copy: Command = addSubcommand(program, "copy", EXAMPLE)
    .description(
      "Copies all pets, API keys and idempotency keys from one database to another, then compares both row by row.\n" +
        "Stop the service first. The same command continues an interrupted copy. A target with other data is refused.\n" +
        "A password may be in PGPASSWORD or ~/.pgpass instead of the URL, which the list of processes shows.",
    )
    .requiredOption("--from <url>", URL_FORMS)
    .requiredOption(
      "--to <url>",
      "the same forms; a SQLite file is created, a PostgreSQL database must exist",
    )
    .action((urls: CopyUrls) => runCopy(urls, { copy, output }));
  const distribute: Command = addSubcommand(program, "distribute", DISTRIBUTE_EXAMPLE)
    .description(
      "Distributes all pets and idempotency keys over the workers of a Citus cluster.\n" +
        "Stop the service first. Tables that are distributed already stay as they are.",
    )
    .requiredOption("--database <url>", "address of the coordinator: postgres://USER:PASSWORD@HOST/DATABASE")
    .option("--shards <number>", "shards per table (default: one per worker)")
    .action((options: DistributeOptions) => runDistribute(options, { distribute, output }));
  return runCommand(program, argv, output);
}

interface DistributeOptions {
  readonly database: string;
  readonly shards?: string;
}

async function runDistribute(
  { database, shards }: DistributeOptions,
  { distribute, output }: { readonly distribute: Command; readonly output: Output },
): Promise<void> {
  const location = parseDatabaseUrl(database);
  if (location?.engine !== "postgres") return distribute.error("error: --database must be postgres://…");
  if (shards !== undefined && !/^[1-9]\d{0,3}$/.test(shards))
    return distribute.error("error: --shards must be an integer from 1 to 9999");
  const { distributePostgres } = await import("./postgres/distribute.js");
  const result = await distributePostgres(location.url, shards === undefined ? undefined : Number(shards));
  output.stdout.write(
    result.tables.length === 0
      ? "The tables are distributed already.\n"
      : `Distributed ${result.tables.join(" and ")} into ${count(result.shards, "shard")} each.\n`,
  );
}

interface CopyUrls {
  readonly from: string;
  readonly to: string;
}

async function runCopy(
  { from, to }: CopyUrls,
  { copy, output }: { readonly copy: Command; readonly output: Output },
): Promise<void> {
  if (from === to) copy.error("error: --from and --to name the same database");
  const invalid = (): never => copy.error(`error: --from and --to must be ${URL_FORMS}`);
  const source = (await openSide(from, true)) ?? invalid();
  try {
    const target = (await openSide(to, false)) ?? invalid();
    try {
      const onProgress = createProgress(output.stderr);
      const { pets, petsBefore, keys, checksum } = await copyStore(source, target, { onProgress });
      const before = petsBefore === 0 ? "" : ` (${petsBefore} of them earlier)`;
      output.stdout.write(
        `Copied ${count(pets, "pet")}${before} and ${count(keys, "key")}. Both databases are equal: SHA-256 ${checksum}\n`,
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function createProgress(stderr: Output["stderr"]): NonNullable<CopyOptions["onProgress"]> {
  let printedAt = performance.now();
  return (step, pets) => {
    if (performance.now() - printedAt < PROGRESS_MS) return;
    printedAt = performance.now();
    stderr.write(`${pets} pets ${step}\n`);
  };
}
