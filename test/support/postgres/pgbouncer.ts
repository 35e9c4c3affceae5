import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { until } from "../until.js";
import { query } from "./database.js";
import { findFreePort, toAccount } from "./server.js";

/** The program; another version can be named by its path. */
const PROGRAM = process.env["PGBOUNCER"] ?? "pgbouncer";

export type PoolMode = "session" | "transaction";

/** Version of PgBouncer; undefined when it is not installed, which is reported. */
export const PGBOUNCER_VERSION = findVersion();

function findVersion(): string | undefined {
  const { stdout, error } = spawnSync(PROGRAM, ["--version"], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` },
  });
  const version = error === undefined ? /^PgBouncer (\S+)/i.exec(stdout)?.[1] : undefined;
  if (version === undefined) {
    process.stderr.write(
      "\nTests with PgBouncer are SKIPPED: it is not installed (Debian package pgbouncer), and PGBOUNCER does not name it.\n\n",
    );
  }
  return version;
}

/** PgBouncer with its default settings in front of the server of a URL. */
export class PgBouncer {
  readonly #server: URL;
  readonly #folder: string;
  readonly #port: number;
  readonly #process: ChildProcess;

  private constructor(server: URL, folder: string, port: number) {
    this.#server = server;
    this.#folder = folder;
    this.#port = port;
    this.#process = spawn(PROGRAM, [join(folder, "pgbouncer.ini")], {
      ...toAccount(),
      cwd: folder,
      stdio: "ignore",
      env: { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` },
    });
  }

  /** @param poolSize Sessions on the server per user and database. */
  static async start(serverUrl: string, mode: PoolMode, poolSize = 20): Promise<PgBouncer> {
    const server = new URL(serverUrl);
    const folder = mkdtempSync(join(tmpdir(), "petstore-pgbouncer-"));
    chmodSync(folder, 0o755);
    const port = await findFreePort();
    const [user, password] = [server.username, server.password].map(decodeURIComponent);
    const settings = [
      "[databases]",
      `* = host=${server.hostname} port=${server.port} user=${user} password='${password}'`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      // Its clients are the tests of this machine.
      "auth_type = any",
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
    ];
    writeFileSync(join(folder, "pgbouncer.ini"), `${settings.join("\n")}\n`);
    const pooler = new PgBouncer(server, folder, port);
    await until(() =>
      query(pooler.toUrl(serverUrl), "select 1").then(
        () => true,
        () => false,
      ),
    );
    return pooler;
  }

  /** Returns the address of a database of the server behind the pooler. */
  toUrl(databaseUrl: string): string {
    const url = new URL(this.#server);
    url.pathname = new URL(databaseUrl).pathname;
    url.port = String(this.#port);
    return url.href;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, "exit");
      this.#process.kill("SIGQUIT");
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
