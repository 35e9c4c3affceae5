import { hostname, userInfo } from "node:os";
import process from "node:process";
import { type Command, InvalidArgumentError } from "commander";
import { addSubcommand, createCommand, type Output, runCommand } from "../command.js";
import { loadConfig } from "../config.js";
import { openStore } from "../store/open.js";
import type { KeyEvent } from "../store/store.js";
import { resemblesKey } from "./key.js";
import { Keys, type KeySummary } from "./keys.js";

const DAY_MS = 86_400_000;

export interface KeysCommandOptions extends Output {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The command behind `npm run keys`.
 * @param argv Arguments after the program's name.
 * @returns Exit code: 0 success, 1 failure, 2 invalid usage.
 */
export function runKeysCommand(argv: readonly string[], options: KeysCommandOptions): Promise<number> {
  return runCommand(createKeysCommand(options), argv, options);
}

function createKeysCommand({ env, stdout, stderr }: KeysCommandOptions): Command {
  const program = createCommand("keys", 'issue --name "Web shop"', { stdout, stderr }).description(
    "Issues, lists, rotates and revokes API keys in the database that DATABASE_URL names. The service may be running.\n" +
      "Only the result goes to standard output; without -s, npm adds a banner to it.",
  );

  async function withKeys(work: (keys: Keys) => Promise<void>): Promise<void> {
    const store = await openStore(loadConfig(env).databaseUrl);
    try {
      await work(new Keys(store.keys, { actor: toActor() }));
    } finally {
      await store.close();
    }
  }

  function printRows<Row>(rows: readonly Row[], table: Table<Row>, isJson = false): void {
    if (isJson) stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    else if (rows.length > 0) stdout.write(formatTable(rows, table));
    else stderr.write(`${table.empty}\n`);
  }

  addSubcommand(program, "issue", '--name "Web shop" --expires-in-days 365')
    .description("Issues a key and prints it. It is not shown again.")
    .requiredOption("--name <name>", "who uses the key: 1 to 100 printable characters")
    .option("--expires-in-days <number>", "1 to 36500 (default: the key does not expire)", integer(1, 36_500))
    .action(({ name, expiresInDays: days }: { name: string; expiresInDays?: number }) =>
      withKeys(async (keys) => {
        const expiresAt = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS);
        const { key, id } = await keys.issue({ name, expiresAt });
        const expiry = expiresAt === undefined ? "" : `, which expires at ${expiresAt.toISOString()}`;
        stderr.write(`Issued key ${id}${expiry}. It is not shown again.\n`);
        stdout.write(`${key}\n`);
      }),
    );

  addSubcommand(program, "list", "")
    .description(
      "Lists all keys ever issued, oldest first, without their text. The time of the last use is up to a minute old.",
    )
    .option("--json", "print a JSON array")
    .action(({ json }: { json?: boolean }) =>
      withKeys(async (keys) => {
        printRows(await keys.list(), KEYS, json);
      }),
    );

  addSubcommand(program, "history", "k_4fTq0ZxW9a")
    .description("Lists who issued, rotated and revoked keys and when, oldest first.")
    .argument("[id]", "the ID of one key (default: all keys)", toId)
    .option("--json", "print a JSON array")
    .action((id: string | undefined, { json }: { json?: boolean }) =>
      withKeys(async (keys) => {
        printRows(await keys.history(id), EVENTS, json);
      }),
    );

  addSubcommand(program, "rotate", "k_4fTq0ZxW9a --overlap-hours 48")
    .description(
      "Replaces a key by a new one with its name and lifetime, and prints it. It is not shown again.",
    )
    .argument("<id>", "the ID of the key", toId)
    .option("--overlap-hours <number>", "how long the old key stays valid: 0 to 8760", integer(0, 8760), 24)
    .action((id: string, { overlapHours }: { overlapHours: number }) =>
      withKeys(async (keys) => {
        const rotated = await keys.rotate(id, { overlapHours });
        const until = rotated.oldExpiresAt.toISOString();
        stderr.write(
          `Issued key ${rotated.id}. It is not shown again. The old key ${id} is valid until ${until}.\n`,
        );
        stdout.write(`${rotated.key}\n`);
      }),
    );

  addSubcommand(program, "revoke", "k_4fTq0ZxW9a")
    .description("Revokes a key from the next request on; with PostgreSQL, after at most 10 seconds.")
    .argument("<id>", "the ID of the key", toId)
    .action((id: string) =>
      withKeys(async (keys) => {
        const { name, revokedAt } = await keys.revoke(id);
        stderr.write(`Key ${id} ("${name}") was revoked at ${revokedAt?.toISOString() ?? "now"}.\n`);
      }),
    );

  return program;
}

interface Table<Row> {
  /** Formats the cells of a row, by heading. */
  readonly columns: Readonly<Record<string, (row: Row) => string>>;
  /** Printed when there are no rows. */
  readonly empty: string;
}

const KEYS: Table<KeySummary> = {
  columns: {
    ID: ({ id }) => id,
    STATE: ({ state }) => state,
    CREATED: ({ createdAt }) => formatInstant(createdAt),
    EXPIRES: ({ expiresAt }) => formatInstant(expiresAt),
    "LAST USED": ({ lastUsedAt }) => formatInstant(lastUsedAt),
    "REPLACED BY": ({ replacedBy }) => replacedBy ?? "-",
    NAME: ({ name }) => name,
  },
  empty: "There are no keys yet.",
};

const EVENTS: Table<KeyEvent> = {
  columns: {
    AT: ({ at }) => formatInstant(at),
    EVENT: ({ event }) => event,
    ID: ({ keyId }) => keyId,
    BY: ({ actor }) => actor,
    SUCCESSOR: ({ successor }) => successor ?? "-",
  },
  empty: "There is no history: an earlier version of this command did not record it.",
};

function formatInstant(instant?: Date): string {
  if (instant === undefined) return "never";
  // Another program may have written it.
  return Number.isNaN(instant.getTime()) ? "invalid" : instant.toISOString();
}

/** Formats rows in columns, each as wide as its widest cell. */
function formatTable<Row>(rows: readonly Row[], { columns }: Table<Row>): string {
  const padded = Object.entries(columns).map(([heading, toCell]) => {
    const cells = [heading, ...rows.map(toCell)];
    const width = Math.max(...cells.map(({ length }) => length));
    return cells.map((cell) => cell.padEnd(width));
  });
  const lines = [undefined, ...rows].map((_, line) => padded.map((cells) => cells[line]).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function toId(text: string): string {
  if (!resemblesKey(text)) return text;
  throw new InvalidArgumentError(
    'It must be the ID of a key, not the key: "npm run -s keys -- list" shows it.',
  );
}

/** Returns a parser of integers in a range. */
function integer(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be an integer from ${minimum} to ${maximum}.`);
  };
}

/** Returns the user of this process: `ann@host`, or `uid 1001@host` for a user without a name, as in containers. */
function toActor(): string {
  // Control characters could forge lines of the history.
  return `${toUser()}@${hostname()}`.replace(/[^\x21-\x7e ]/g, "?");
}

function toUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
