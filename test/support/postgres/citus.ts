import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { distributePostgres } from "../../../src/petstore/store/postgres/distribute.js";
import { until } from "../until.js";
import { PostgresServer } from "./server.js";

const PROGRAMS = "/usr/lib/postgresql/15";
const SHARED = "/usr/share/postgresql/15";

/** A coordinator and workers with Citus, built from its source against Debian's PostgreSQL 15. */
export class CitusCluster {
  readonly coordinator: PostgresServer;
  readonly workers: readonly PostgresServer[];
  readonly #folder: string;

  private constructor(folder: string, coordinator: PostgresServer, workers: readonly PostgresServer[]) {
    this.#folder = folder;
    this.coordinator = coordinator;
    this.workers = workers;
  }

  /**
   * Builds Citus and starts a cluster. Nothing outside a folder of its own is changed: it has a copy of PostgreSQL, too.
   * @param source A checkout of Citus, for example of v13.2.2.
   */
  static async create(source: string, workers = 2): Promise<CitusCluster> {
    const folder = mkdtempSync(join(tmpdir(), "petstore-citus-"));
    try {
      chmodSync(folder, 0o755);
      build(source, folder);
      const options = {
        binaries: join(folder, PROGRAMS, "bin"),
        settings: [
          "shared_preload_libraries=citus",
          "max_prepared_transactions=100",
          // Shards move while callers write.
          "wal_level=logical",
          "citus.node_conninfo=sslmode=prefer",
        ],
      };
      const servers: PostgresServer[] = [];
      for (let number = 0; number <= workers; number += 1) {
        const server = await PostgresServer.create(folder, options);
        await server.execute("create extension citus");
        servers.push(server);
      }
      const [coordinator, ...others] = servers as [PostgresServer, ...PostgresServer[]];
      const toNode = ({ url }: PostgresServer): string => `'127.0.0.1', ${new URL(url).port}`;
      await coordinator.execute(`select citus_set_coordinator_host(${toNode(coordinator)})`);
      for (const worker of others) await coordinator.execute(`select citus_add_node(${toNode(worker)})`);
      return new CitusCluster(folder, coordinator, others);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Distributes the tables of the service, and returns the cluster as a server of which a random worker is ended. */
  async distribute(): Promise<Pick<PostgresServer, "start" | "stop">> {
    await distributePostgres(this.coordinator.url);
    let victim = this.coordinator;
    return {
      stop: (signal) => {
        victim = this.workers[Math.floor(Math.random() * this.workers.length)] ?? victim;
        return victim.stop(signal);
      },
      start: async () => {
        await victim.start();
        // A worker that died during a commit has prepared transactions, which are not visible until they are finished.
        await until(async () => {
          await this.coordinator.execute("select recover_prepared_transactions()");
          return (await victim.execute("select from pg_prepared_xacts")).length === 0;
        });
      },
    };
  }

  async destroy(): Promise<void> {
    for (const server of [this.coordinator, ...this.workers]) await server.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Installs Citus into a copy of PostgreSQL, which finds its files relative to its programs. */
function build(source: string, folder: string): void {
  const work = join(folder, "source");
  cpSync(source, work, { recursive: true });
  // PostgreSQL 15.20 declares a function of this name itself.
  const header = join(work, "src/include/pg_version_compat.h");
  writeFileSync(
    header,
    readFileSync(header, "utf8").replace(/\bhave_createdb_privilege\b/g, "citus_have_createdb_privilege"),
  );
  for (const path of [PROGRAMS, SHARED]) {
    mkdirSync(join(folder, path), { recursive: true });
    cpSync(path, join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
  for (const [command, ...parameters] of [
    ["./configure", "--quiet", "--without-libcurl", `PG_CONFIG=${PROGRAMS}/bin/pg_config`],
    ["make", "-s", "-j2", "with_llvm=no", "extension"],
    ["make", "-s", "with_llvm=no", "install-extension", `DESTDIR=${folder}`],
  ] as const) {
    const { status, stderr } = spawnSync(command, parameters, { cwd: work, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} failed: ${stderr.slice(-2000)}`);
  }
  rmSync(work, { recursive: true });
}
