import { afterAll } from "@jest/globals";
import { randomUUID } from "node:crypto";
import process from "node:process";
import { Client } from "pg";

const created: string[] = [];

/** URL of the tests' PostgreSQL server; undefined when none could be started, which was reported then. */
export const POSTGRES_URL = await findServer();

/** @throws on CI when no server could be started: there no test may be skipped. */
async function findServer(): Promise<string | undefined> {
  const { TEST_DATABASE_URL: url, TEST_DATABASE_BROKER: broker, CI } = process.env;
  if (url !== undefined && url !== "") return url;
  if (broker === undefined) return undefined;
  const response = await fetch(broker);
  const text = await response.text();
  if (response.ok) return text;
  if (CI !== undefined) throw new Error(text);
  return undefined;
}

/** A new, empty database, gone after the last test of the file; resolves to its URL. */
export async function createDatabase(): Promise<string> {
  const name = `petstore_test_${randomUUID().replaceAll("-", "")}`;
  await query(toUrl("postgres"), `create database ${name}`);
  created.push(name);
  return toUrl(name);
}

let shared: Promise<string> | undefined;
let schemas = 0;

/** A new, empty schema in a database of the test file's own, which takes less time; resolves to its URL. */
export async function createSchema(): Promise<string> {
  shared ??= createDatabase();
  const url = new URL(await shared);
  const name = `s${(schemas += 1)}`;
  await query(url.href, `create schema ${name}`);
  url.searchParams.set("options", `-c search_path=${name}`);
  return url.href;
}

/** Executes statements as another program would. */
export async function query(url: string, sql: string): Promise<object[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<object>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

function toUrl(database: string): string {
  if (POSTGRES_URL === undefined) throw new Error("There is no PostgreSQL server for the tests");
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${database}`;
  return url.href;
}

afterAll(async () => {
  for (const name of created.splice(0)) {
    await query(toUrl("postgres"), `drop database ${name} with (force)`);
  }
});
