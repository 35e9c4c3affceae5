import { describe } from "@jest/globals";
import { join } from "node:path";
import { type Engine, type Migration } from "../../../src/petstore/store/migrations.js";
import { openPostgresStore } from "../../../src/petstore/store/postgres/index.js";
import { loadSqliteDriver } from "../../../src/petstore/store/sqlite/driver.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import type { OnCommit, Store } from "../../../src/petstore/store/store.js";
import { createDirectory } from "../../support/directory.js";
import { createSchema, POSTGRES_URL, query } from "../../support/postgres/database.js";

export interface OpenOptions {
  readonly migrations?: readonly Migration[];
  readonly onCommit?: OnCommit;
}

/** An engine that keeps the store, as the tests of all engines see it. */
export interface TestEngine {
  readonly name: Engine;
  /** Makes a new, empty database and resolves to its `DATABASE_URL`. */
  create(): Promise<string>;
  open(url: string, options?: OpenOptions): Promise<Store>;
  /** Executes a statement as another program would. */
  query(url: string, sql: string): Promise<object[]>;
}

const sqlite: TestEngine = {
  name: "sqlite",
  create: () => Promise.resolve(`sqlite:${join(createDirectory(), "pets.db")}`),
  open: (url, options) => openSqliteStore(toFile(url), options),
  // eslint-disable-next-line @typescript-eslint/require-await -- It rejects where the other engine's does.
  async query(url, sql) {
    const database = new (loadSqliteDriver().DatabaseSync)(toFile(url));
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...(row as object) }));
    } finally {
      database.close();
    }
  },
};

const postgres: TestEngine = {
  name: "postgres",
  create: createSchema,
  open: openPostgresStore,
  query,
};

function toFile(url: string): string {
  return url.slice("sqlite:".length);
}

/** Describes what holds on every engine. PostgreSQL is skipped where no server could be brought up. */
export function describeEngines(describeEngine: (engine: TestEngine) => void): void {
  for (const engine of [sqlite, postgres]) {
    const isThere = engine !== postgres || POSTGRES_URL !== undefined;
    (isThere ? describe : describe.skip)(`on ${engine.name}`, () => {
      describeEngine(engine);
    });
  }
}
