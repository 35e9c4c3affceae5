import { parseArgs, type ParseArgsConfig } from "node:util";
import { ConfigError, loadConfig } from "../config.js";
import { openStore } from "../store/open.js";
import { type KeyEvent, StoreOpenError, StoreUnavailableError } from "../store/store.js";
import { resemblesKey } from "./key.js";
import { KeyError, Keys, type KeySummary } from "./keys.js";
import { nearest } from "./nearest.js";
import { toActor } from "./actor.js";
import { toTable } from "./table.js";

const DAY_MS = 86_400_000;

export interface KeysCommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets what was asked for and nothing else. */
  readonly stdout: Output;
  /** Gets all words about it. */
  readonly stderr: Output;
}

export interface Output {
  write(text: string): unknown;
}

type Flags = Readonly<Record<string, string | boolean | undefined>>;

interface Subcommand {
  readonly usage: string;
  readonly help: string;
  readonly flags: NonNullable<ParseArgsConfig["options"]>;
  readonly id: "required" | "optional" | "none";
  /** Checks the flags before the store is opened; what it returns does the work. */
  readonly prepare: (flags: Flags, id: string) => (keys: Keys, output: KeysCommandOptions) => Promise<void>;
}

const HEADINGS = ["ID", "STATE", "CREATED", "EXPIRES", "LAST USED", "REPLACED BY", "NAME"];

function toCells({ id, state, createdAt, expiresAt, lastUsedAt, replacedBy, name }: KeySummary): string[] {
  return [
    id,
    state,
    createdAt.toISOString(),
    expiresAt?.toISOString() ?? "never",
    lastUsedAt?.toISOString() ?? "never",
    replacedBy ?? "-",
    name,
  ];
}

const EVENT_HEADINGS = ["AT", "EVENT", "ID", "BY", "SUCCESSOR"];

function toEventCells({ at, event, keyId, actor, successor }: KeyEvent): string[] {
  return [at.toISOString(), event, keyId, actor, successor ?? "-"];
}

/** Bad usage: exit 2. */
class UsageError extends Error {}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  issue: {
    usage: "issue --name NAME [--expires-in-days N]",
    help: `Issues a key and prints it; it is shown this once.

  --name NAME           who uses the key: 1 to 100 printable characters
  --expires-in-days N   1 to 36500; without it the key does not expire

Example: npm run -s keys -- issue --name "Web shop" --expires-in-days 365`,
    flags: { name: { type: "string" }, "expires-in-days": { type: "string" } },
    id: "none",
    prepare: (flags) => {
      const { name } = flags;
      if (typeof name !== "string") throw new UsageError("Option --name is missing; say who uses the key.");
      const days = toInteger(flags, "expires-in-days", { minimum: 1, maximum: 36_500 });
      return async (keys, { stdout, stderr }) => {
        const expiresAt = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS);
        const { key, id } = await keys.issue({ name, expiresAt });
        stderr.write(
          `Issued key ${id}${expiresAt ? `, which expires at ${expiresAt.toISOString()}` : ""}. It is not shown again.\n`,
        );
        stdout.write(`${key}\n`);
      };
    },
  },
  list: {
    usage: "list [--json]",
    help: `Lists all keys ever issued, oldest first; never their text. When a key was last used is known a minute later.

  --json   print a JSON array

Example: npm run -s keys -- list`,
    flags: { json: { type: "boolean" } },
    id: "none",
    prepare:
      ({ json }) =>
      async (keys, { stdout, stderr }) => {
        const list = await keys.list();
        if (json === true) stdout.write(`${JSON.stringify(list, undefined, 2)}\n`);
        else if (list.length > 0) stdout.write(toTable(HEADINGS, list.map(toCells)));
        else stderr.write("There are no keys yet.\n");
      },
  },
  history: {
    usage: "history [ID] [--json]",
    help: `Lists who issued, rotated and revoked keys and when, oldest first; with an ID only what was done with that key.

  --json   print a JSON array

Example: npm run -s keys -- history k_4fTq0ZxW9a`,
    flags: { json: { type: "boolean" } },
    id: "optional",
    prepare:
      ({ json }, id) =>
      async (keys, { stdout, stderr }) => {
        const events = await keys.history(id === "" ? undefined : id);
        if (json === true) stdout.write(`${JSON.stringify(events, undefined, 2)}\n`);
        else if (events.length > 0) stdout.write(toTable(EVENT_HEADINGS, events.map(toEventCells)));
        else stderr.write("Nothing is known of it: it was done by an earlier version.\n");
      },
  },
  rotate: {
    usage: "rotate ID [--overlap-hours N]",
    help: `Issues a successor of a key, with its name and lifetime, and prints it; it is shown this once.

  --overlap-hours N   how long the old key still passes: 0 to 8760, default 24

Example: npm run -s keys -- rotate k_4fTq0ZxW9a --overlap-hours 48`,
    flags: { "overlap-hours": { type: "string" } },
    id: "required",
    prepare: (flags, id) => {
      const overlapHours = toInteger(flags, "overlap-hours", { minimum: 0, maximum: 8760 });
      return async (keys, { stdout, stderr }) => {
        const rotated = await keys.rotate(id, { overlapHours });
        stderr.write(
          `Issued key ${rotated.id}. It is not shown again. ` +
            `The old key ${id} passes until ${rotated.oldExpiresAt.toISOString()}.\n`,
        );
        stdout.write(`${rotated.key}\n`);
      };
    },
  },
  revoke: {
    usage: "revoke ID",
    help: `Makes a key fail from the next request on; with PostgreSQL, at most 10 seconds later.

Example: npm run -s keys -- revoke k_4fTq0ZxW9a`,
    flags: {},
    id: "required",
    prepare:
      (_flags, id) =>
      async (keys, { stderr }) => {
        const { name, revokedAt } = await keys.revoke(id);
        stderr.write(`Key ${id} ("${name}") is revoked since ${revokedAt?.toISOString() ?? "now"}.\n`);
      },
  },
};

const HELP = `Usage: npm run -s keys -- SUBCOMMAND

Issues, lists, rotates and revokes API keys, and tells who did, in the database that DATABASE_URL names; the service may be running.
${Object.values(SUBCOMMANDS)
  .map(({ usage }) => `  ${usage}`)
  .join("\n")}

Only what is asked for goes to standard output; without -s, npm adds a banner of its own.
SUBCOMMAND --help says more.

Example: KEY=$(npm run -s keys -- issue --name "Web shop")
`;

/**
 * The command behind `npm run keys`.
 * @param argv Arguments after the program's name.
 * @returns Exit code: 0 fine, 1 it could not be done, 2 bad usage.
 */
export async function runKeysCommand(argv: readonly string[], options: KeysCommandOptions): Promise<number> {
  const { stdout, stderr } = options;
  try {
    const [name, ...rest] = argv;
    if (name === "--help" || name === "-h") {
      stdout.write(HELP);
      return 0;
    }
    const subcommand = toSubcommand(name);
    const { flags, positionals } = parse(subcommand, rest);
    if (flags["help"] === true) {
      stdout.write(`Usage: npm run -s keys -- ${subcommand.usage}\n\n${subcommand.help}\n`);
      return 0;
    }
    const run = subcommand.prepare(flags, toId(subcommand, positionals));
    const store = await openStore(loadConfig(options.env).databaseUrl);
    try {
      await run(new Keys(store.keys, { actor: toActor() }), options);
    } finally {
      await store.close();
    }
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function isExpected(error: unknown): error is Error {
  return [UsageError, KeyError, ConfigError, StoreOpenError, StoreUnavailableError].some(
    (expected) => error instanceof expected,
  );
}

function toSubcommand(name: string | undefined): Subcommand {
  const subcommand = name === undefined || !Object.hasOwn(SUBCOMMANDS, name) ? undefined : SUBCOMMANDS[name];
  if (subcommand !== undefined) return subcommand;
  const names = Object.keys(SUBCOMMANDS);
  throw new UsageError(
    name === undefined
      ? `A subcommand is missing: ${names.join(", ")}. --help says more.`
      : `Unknown subcommand "${name}"; did you mean "${nearest(name, names)}"? --help lists all.`,
  );
}

function parse(
  { flags, usage }: Subcommand,
  args: string[],
): { flags: Flags; positionals: readonly string[] } {
  const options = { ...flags, help: { type: "boolean", short: "h" } } as const;
  const unknown = parseArgs({ args, options, strict: false, tokens: true }).tokens.find(
    (token) => token.kind === "option" && !Object.hasOwn(options, token.name),
  );
  if (unknown?.kind === "option") {
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(
      `Unknown option "${unknown.rawName}"; did you mean "${nearest(unknown.rawName, names)}"? Usage: ${usage}`,
    );
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { flags: values, positionals };
  } catch (error) {
    // The remaining mistakes are about a flag's value, and the first line of Node's own message says which.
    throw new UsageError(`${toSentence(error as Error)} Usage: ${usage}`);
  }
}

function toSentence({ message }: Error): string {
  return message.replace(/\.?(\n.*)?$/s, ".");
}

/** The one ID among the arguments, or "" where none is taken. */
function toId({ id: wants, usage }: Subcommand, positionals: readonly string[]): string {
  const [id = "", ...more] = positionals;
  // Not echoed: standard error may be logged.
  if (positionals.some(resemblesKey)) {
    throw new UsageError('This takes the ID of a key, not the key; "npm run keys -- list" shows the IDs.');
  }
  if (wants === "required" && id === "") throw new UsageError(`The key's ID is missing. Usage: ${usage}`);
  const [unexpected] = wants === "none" ? positionals : more;
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}". Usage: ${usage}`);
  return id;
}

interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

function toInteger(flags: Flags, name: string, { minimum, maximum }: Range): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const value = typeof text === "string" && /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(
    `--${name} must be an integer from ${minimum} to ${maximum}, but is "${String(text)}".`,
  );
}
