import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { GIVE_UP_MS } from "../until.js";
import { findBinaries } from "./binaries.js";

const PASSWORD = "correct horse";
const TEMPORARY = "petstore-postgres-";

export interface ServerOptions {
  /** Folder with `initdb` and `postgres`. Default: as {@link findBinaries} finds it. */
  readonly binaries?: string;
  /** Settings besides, as `name=value`. */
  readonly settings?: readonly string[];
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** A PostgreSQL server of the tests' own, with a folder of its own, on a free port of the loopback interface. */
export class PostgresServer {
  /** Of its superuser and first database. */
  readonly url: string;
  readonly #folder: string;
  readonly #binaries: string;
  readonly #account: Account;
  readonly #port: number;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(
    folder: string,
    binaries: string,
    { account, port, settings = [] }: { account: Account; port: number; settings?: readonly string[] },
  ) {
    this.url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`;
    this.#folder = folder;
    this.#binaries = binaries;
    this.#account = account;
    this.#port = port;
    this.#settings = settings;
  }

  /**
   * Makes a server and starts it.
   * @param parent Folder that it gets a folder in. Default: the system's for temporary files.
   * @throws when there are no binaries, or they do not work here.
   */
  static async create(parent = tmpdir(), options: ServerOptions = {}): Promise<PostgresServer> {
    const folder = mkdtempSync(join(parent, TEMPORARY));
    try {
      const binaries = options.binaries ?? findBinaries(folder);
      if (binaries === undefined) throw new Error("there is neither an installed nor a packaged server");
      const account = toAccount();
      // The data's folder belongs to the account; the one around it only has to let it pass.
      chmodSync(folder, 0o755);
      initialize(folder, binaries, account);
      const port = await findFreePort();
      const server = new PostgresServer(folder, binaries, { ...options, account, port });
      await server.start();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Resolves when the server answers. */
  async start(): Promise<void> {
    const deadline = performance.now() + GIVE_UP_MS;
    for (;;) {
      const log = await this.#launch(deadline);
      if (log === undefined) return;
      // After a crash the memory is in use until the last of the old processes has noticed.
      if (performance.now() > deadline) throw new Error(`postgres did not start: ${log}`);
      await sleep(100);
    }
  }

  /** Makes and starts a standby; this server is restarted meanwhile. It commits only what the standby has received. */
  async createStandby(): Promise<PostgresServer> {
    await this.stop();
    const folder = mkdtempSync(join(tmpdir(), TEMPORARY));
    chmodSync(folder, 0o755);
    const { status, stderr } = spawnSync("cp", ["-a", join(this.#folder, "data"), folder], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`cp failed: ${stderr}`);
    const port = await findFreePort();
    const standby = new PostgresServer(folder, this.#binaries, { account: this.#account, port });
    await this.start();
    standby.follow(this);
    await standby.start();
    await this.execute("alter system set synchronous_standby_names = '*'");
    await this.execute("select pg_reload_conf()");
    return standby;
  }

  /** Makes the server, which must be stopped, a standby from its next start on. */
  follow({ url }: PostgresServer): void {
    const data = join(this.#folder, "data");
    const { hostname, port, username } = new URL(url);
    const connection = `host=${hostname} port=${port} user=${username} password=''${PASSWORD}''`;
    appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${connection}'\n`);
    writeFileSync(join(data, "standby.signal"), "");
  }

  /** Makes a standby a primary, which waits for no standby. */
  async promote(): Promise<void> {
    await this.execute("alter system reset synchronous_standby_names");
    await this.execute("select pg_reload_conf()");
    await this.execute("select pg_promote()");
  }

  async execute(sql: string): Promise<object[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<object>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the server: SIGINT disconnects everybody, SIGKILL is a crash. */
  async stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL" = "SIGINT"): Promise<void> {
    const server = this.#process;
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  /** Ends the server and removes its folder. */
  async destroy(): Promise<void> {
    await this.stop("SIGQUIT");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** @returns the end of the log when the process ended instead of answering. */
  async #launch(deadline: number): Promise<string | undefined> {
    const settings = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      // The machine does not lose power in a test; the process may be killed without a loss.
      "fsync=off",
      `port=${this.#port}`,
      ...this.#settings,
    ];
    const data = join(this.#folder, "data");
    const server = spawn(
      join(this.#binaries, "postgres"),
      ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
      {
        ...this.#account,
        cwd: data,
        stdio: ["ignore", "ignore", "pipe"],
        // The servers of a cluster connect to each other.
        env: { ...process.env, PGPASSWORD: PASSWORD },
      },
    );
    this.#process = server;
    let log = "";
    server.stderr.on("data", (chunk) => (log = (log + String(chunk)).slice(-2000)));
    const ended = once(server, "exit");
    while (!(await this.#answers())) {
      if (performance.now() > deadline) server.kill("SIGKILL");
      if (await Promise.race([ended.then(() => true), sleep(20, false)])) return log;
    }
    return undefined;
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: GIVE_UP_MS });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  }
}

/** `initdb` and `postgres` refuse to run as root. */
export function toAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const wanted of ["postgres", "nobody"]) {
    const [name, , uid, gid] = accounts.find((line) => line.startsWith(`${wanted}:`))?.split(":") ?? [];
    if (name !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody");
}

function initialize(folder: string, binaries: string, account: Account): void {
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, PASSWORD);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(data, account.uid, account.gid);
  const { status, stderr, error } = spawnSync(
    join(binaries, "initdb"),
    [
      ...["-D", data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`],
      ...["--no-sync", "--no-locale", "--encoding=UTF8"],
    ],
    { ...account, cwd: data, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
