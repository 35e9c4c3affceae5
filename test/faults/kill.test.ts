// @thorough, 50 s: kills services in the middle of writes, many times.
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createDirectory } from "../support/directory.js";
import { killRounds } from "../support/faults/kill.js";
import { toSource } from "../support/faults/service.js";
import { endProcesses } from "../support/process-group.js";
import { POSTGRES_URL, query } from "../support/postgres/database.js";
import { PostgresServer } from "../support/postgres/server.js";

afterEach(endProcesses);

const EARLY = toSource("test/faults/entries/early-answer.ts");
const newDatabase = (): string => `sqlite:${join(createDirectory(), "pets.db")}`;

describe("kill -9 while many write, with SQLite,", () => {
  test.each([1, 2])(
    "loses nothing that was answered and keeps nothing by halves, with %d processes",
    async (processes) => {
      const report = await killRounds({ rounds: 4, databaseUrl: newDatabase(), argv: toSource(), processes });
      expect(report).toMatchObject({ lost: 0, wrong: 0, problems: [] });
      expect(report.answered).toBeGreaterThan(20);
    },
  );

  test("is found to lose what is answered before it is committed", async () => {
    const problems: string[] = [];
    // On a slow machine, a kill may miss the moment between response and commit.
    for (let tries = 0; tries < 10 && problems.length === 0; tries += 1)
      problems.push(...(await killRounds({ rounds: 4, databaseUrl: newDatabase(), argv: EARLY })).problems);
    expect(problems[0]).toMatch(/was answered 201 and is gone/);
  });
});

(POSTGRES_URL === undefined ? describe.skip : describe)("kill -9 while many write, with PostgreSQL,", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create();
  });
  afterAll(() => server.destroy());

  test("of service, worker or server loses nothing that was answered and keeps nothing by halves", async () => {
    const options = { databaseUrl: server.url, argv: toSource(), processes: 2, server };
    const report = await killRounds({ rounds: 6, ...options });
    expect(report).toMatchObject({ lost: 0, wrong: 0, problems: [] });
    expect(report.kills).toStrictEqual({ service: 2, worker: 2, server: 2 });
  });

  test("is found to lose what is answered before it is committed", async () => {
    const url = new URL(server.url);
    url.searchParams.set("options", "-c search_path=planted");
    await query(server.url, "create schema planted");
    const report = await killRounds({ rounds: 4, databaseUrl: url.href, argv: EARLY });
    expect(report.lost).toBeGreaterThan(0);
  });
});
