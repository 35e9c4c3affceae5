import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { close, listen } from "../../support/http.js";
import { createGateway } from "./books/gateway.js";
import type { Client } from "./books/generated/client.js";
import { connect, findTitle, listTitles, uploadCover } from "./client.js";

let server: Server;
let client: Client;
beforeAll(async () => {
  server = createGateway();
  client = connect(`http://127.0.0.1:${await listen(server)}/v1`);
});

afterAll(() => close(server));

/** The rows of the page's table: what is called, and what comes of it with Tenon. */
function readRows(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL("../../../src/cli/guide/migrate/clients.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  return new Map(cells.map((row) => [row[1] ?? "", row.at(-2) ?? ""]));
}

async function describeResult(
  call: Promise<{ status: number; data?: unknown; error?: unknown }>,
): Promise<string> {
  try {
    const { status, data, error } = await call;
    return `\`${status} ${JSON.stringify(data ?? error)}\``;
  } catch (error) {
    const { name, message } = error as Error;
    return `\`${name}: ${message}\``;
  }
}

describe("the page's table has what a call results in:", () => {
  const calls: Readonly<Record<string, () => Promise<{ status: number; data?: unknown; error?: unknown }>>> =
    {
      '`tags: ["war", "peace"]`': () => client.listBooks({ query: { tags: ["war", "peace"], limit: 1 } }),
      "`GET /books/99`": () => client.getBook({ path: { bookId: 99 } }),
      "`GET /books/502`": () => client.getBook({ path: { bookId: 502 } }),
      "`GET /books/503`": () => client.getBook({ path: { bookId: 503 } }),
      "`GET /books/555`": () => client.getBook({ path: { bookId: 555 } }),
      "`PUT /books/1/cover`": () =>
        client.putCover({ path: { bookId: 1 }, body: { image: new Blob(["abc"]), caption: "Front" } }),
    };

  test.each(Object.entries(calls))("%s", async (name, call) => {
    expect(await describeResult(call())).toBe(readRows().get(name));
  });

  test("and no other row", () => {
    expect([...readRows().keys()]).toStrictEqual(Object.keys(calls));
  });
});

test("the page's code works", async () => {
  expect(await listTitles(client, ["war"])).toStrictEqual(["War and Peace"]);
  expect(await findTitle(client, 2)).toBe("Persuasion");
  expect(await findTitle(client, 99)).toBeUndefined();
  await expect(findTitle(client, 0)).rejects.toThrow('Path parameter "bookId" must be at least 1');
  expect(await uploadCover(client, 1, new Blob(["abc"]))).toBe(3);
});
