import { createRequire } from "node:module";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach } from "@jest/globals";
import express, { type RequestHandler } from "express";
import {
  createSqliteEventStore,
  type EventStore,
  type SqliteConnection,
} from "../../../src/tenon/webhooks/index.js";
import { close, listen } from "../../support/http.js";

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** The body of an `orderPaid`. */
export const PAID = { type: "order.paid", data: { id: 7, item: "Tea" } } as const;

const ends: (() => unknown)[] = [];

/** Runs a function after the test. */
export function atEnd(end: () => unknown): void {
  ends.push(end);
}

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Opens a SQLite database with the driver of this Node.js. */
export function openDatabase(file = ":memory:"): SqliteConnection & { close(): void } {
  const driver = (process.getBuiltinModule("node:sqlite") ??
    createRequire(import.meta.url)("@photostructure/sqlite")) as {
    readonly DatabaseSync: new (path: string) => SqliteConnection & { close(): void };
  };
  const database = new driver.DatabaseSync(file);
  atEnd(() => {
    database.close();
  });
  return database;
}

export function createStore(): EventStore {
  return createSqliteEventStore(openDatabase());
}

/** Serves a middleware at `/hooks` until the end of the test. */
export async function serve(receiver: RequestHandler): Promise<number> {
  return serveWith(express().use("/hooks", receiver));
}

export async function serveWith(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener);
  atEnd(() => close(server));
  return listen(server);
}
