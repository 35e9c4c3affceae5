import { parseArgs } from "node:util";
import { CopyError, type CopyOptions, type CopySide, copyStore } from "./copy.js";
import { openSqliteSide } from "./copy-sqlite.js";
import { DATABASE_URL_FORMS, parseDatabaseUrl } from "./database-url.js";
import { StoreOpenError, StoreUnavailableError } from "./store.js";

/** Where text goes. */
export interface CopyOutput {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Least time, in milliseconds, between two lines about the progress. */
const PROGRESS_MS = 1000;

const HELP = `Usage: npm run -s store -- copy --from URL --to URL

Copies all animals, keys and idempotency keys from one database to another, and compares both afterwards, row by
row. Stop the service first. A copy that was cut short goes on where it was when the same command is given again; a
target that holds anything else is refused.

  --from URL   ${DATABASE_URL_FORMS}
  --to URL     the same; created when it is a SQLite file, otherwise a database that exists

A password may also stand in PGPASSWORD or in ~/.pgpass, where no list of processes shows it.

Example: npm run -s store -- copy --from sqlite:data/petstore.db --to postgres://petstore@db.example/petstore
`;

/** Bad usage: exit 2. */
class UsageError extends Error {}

/**
 * The command behind `npm run store`.
 * @param argv Arguments after the program's name.
 * @returns Exit code: 0 copied and the same, 1 not, 2 bad usage.
 */
export async function runStoreCommand(
  argv: readonly string[],
  { stdout, stderr }: CopyOutput,
): Promise<number> {
  try {
    const urls = parse(argv);
    if (urls === undefined) {
      stdout.write(HELP);
      return 0;
    }
    const source = await openSide(urls.from, true);
    try {
      const target = await openSide(urls.to, false);
      try {
        const { pets, petsBefore, keys, checksum } = await copyStore(source, target, {
          onProgress: toProgress(stderr),
        });
        const before = petsBefore === 0 ? "" : `, ${petsBefore} of them before`;
        stdout.write(
          `Copied ${count(pets, "animal")}${before}, and ${count(keys, "key")}. Both sides are the same: SHA-256 ${checksum}\n`,
        );
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message} --help says more.\n`);
      return 2;
    }
    if (![CopyError, StoreOpenError, StoreUnavailableError].some((expected) => error instanceof expected))
      throw error;
    stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

function parse(argv: readonly string[]): { from: string; to: string } | undefined {
  const [name, ...args] = argv;
  if (name === "--help" || name === "-h") return undefined;
  if (name !== "copy") throw new UsageError('The only subcommand is "copy".');
  const url = { type: "string" } as const;
  const { from, to, help } = readFlags(() => {
    const options = { from: url, to: url, help: { type: "boolean", short: "h" } } as const;
    return parseArgs({ args, options }).values;
  });
  if (help === true) return undefined;
  if (from === undefined || to === undefined) throw new UsageError("Both --from and --to are needed.");
  if (from === to) throw new UsageError("--from and --to name the same database.");
  return { from, to };
}

/** Node's own message says in its first line which flag is wrong; that of a stray argument would quote a password. */
function readFlags<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL"
        ? "An argument belongs to no flag."
        : message.replace(/\.?(\n.*)?$/s, "."),
    );
  }
}

async function openSide(url: string, mustExist: boolean): Promise<CopySide> {
  const location = parseDatabaseUrl(url);
  // A database in memory has nothing to copy, and keeps nothing.
  if (location === undefined || (location.engine === "sqlite" && location.file === ":memory:")) {
    throw new UsageError("--from and --to must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE.");
  }
  if (location.engine === "sqlite") return openSqliteSide(location.file, mustExist);
  const { openPostgresSide } = await import("./copy-postgres.js");
  return openPostgresSide(location.url, mustExist);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function toProgress(stderr: CopyOutput["stderr"]): NonNullable<CopyOptions["onProgress"]> {
  let told = performance.now();
  return (step, pets) => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    stderr.write(`${pets} animals ${step}\n`);
  };
}
