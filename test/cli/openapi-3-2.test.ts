// @slow: starts the mock and verifies it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { compareContracts } from "../../src/cli/diff/contract/compare-contracts.js";
import { startMock } from "../../src/cli/mock/start-mock.js";
import { buildContract } from "../../src/tenon/core/model/index.js";
import { verify } from "../../src/cli/verify/index.js";
import { createClient } from "../fixtures/openapi-3-2/generated/client.js";
import { GIVE_UP_MS } from "../support/until.js";
import { PATIENT, verifyServer } from "./verify/run.js";

type Node = Readonly<Record<string, unknown>>;

const url = new URL("../fixtures/openapi-3-2/generated/contract.json", import.meta.url);
const text = readFileSync(url, "utf8");
const contract = buildContract(JSON.parse(text) as Node);

test("the mock responds to QUERY, additional operations and query strings as the contract says", async () => {
  const mock = await startMock(contract, { port: 0, seed: "1" });
  try {
    const client = createClient({ baseUrl: mock.url, apiKey: "token" });
    const found = await client.QUERY("/books", { body: { title: "a" } });
    expect([found.status, Array.isArray(found.data)]).toEqual([200, true]);
    const options = { params: { path: { isbn: "123" }, header: { Destination: "/books/456" } } };
    expect((await client.COPY("/books/{isbn}", options)).status).toBe(201);
    expect(
      (await client.GET("/loans/selected", { params: { querystring: { selector: { numbers: [1] } } } }))
        .status,
    ).toBe(200);
    const shelf = await client.POST("/shelves", { body: { doors: 1 }, headers: { Accept: "text/csv" } });
    expect(shelf.data).toBe("kind,height\nwall,2\n");
  } finally {
    await mock.stop();
  }
});

test("verify calls every operation of 3.2, and the mock keeps the contract", async () => {
  const mock = await startMock(contract, { port: 0, seed: "1" });
  try {
    const { failures, operations, notes } = await verify(contract, {
      base: new URL(mock.url),
      seed: 1,
      runs: 5,
      limits: PATIENT,
      timeout: GIVE_UP_MS,
      credentials: { keys: new Map([["device", "token"]]), headers: [] },
    });
    expect(failures).toEqual([]);
    expect(notes).toEqual([]);
    const succeeded = operations.filter(({ statuses }) =>
      Object.keys(statuses).some((status) => /^2/.test(status)),
    );
    expect(succeeded.map(({ id }) => id).sort()).toEqual(contract.operations.map(({ id }) => id).sort());
  } finally {
    await mock.stop();
  }
});

test("verify reports a service that fails for QUERY", async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.method === "QUERY" ? 500 : 404, { "content-type": "application/json" });
    response.end(request.method === "HEAD" ? undefined : '{"code":"c","message":"m"}');
  });
  const { failures } = await verifyServer(contract, server, {
    path: "/v1",
    runs: 1,
    operations: ["searchBooks"],
  });
  expect(failures.map(({ check, operations, label }) => [check, operations, label])).toContainEqual([
    "server-error",
    ["searchBooks"],
    "QUERY /books",
  ]);
});

test("a contract of 3.1 and the same one of 3.2 are equal; what 3.2 adds is compared", async () => {
  const books = (openapi: string, itemSchema: string, limit = 100) =>
    buildContract({
      openapi,
      info: { title: "t", version: "1" },
      paths: {
        "/books": {
          post: {
            operationId: "search",
            requestBody: {
              content: {
                "application/json": {
                  schema: { type: "object", properties: { limit: { type: "integer", maximum: limit } } },
                },
              },
            },
            responses: {
              "200": {
                description: "Books",
                content: { "application/jsonl": { [itemSchema]: { type: "string" } } },
              },
            },
          },
        },
      },
    });
  const compare = async (
    base: ReturnType<typeof buildContract>,
    revision: ReturnType<typeof buildContract>,
  ) => (await compareContracts({ base, revision }, { now: 0 })).map(({ code }) => code);
  expect(await compare(books("3.1.0", "x-itemSchema"), books("3.2.0", "itemSchema"))).toEqual([]);
  expect(await compare(books("3.1.0", "x-itemSchema"), books("3.2.0", "itemSchema", 50))).toEqual([
    "request-maximum-lowered",
  ]);
  const change = (edit: (document: string) => string) =>
    compare(contract, buildContract(JSON.parse(edit(text)) as Node));
  expect(await change((document) => document)).toEqual([]);
  expect(await change((document) => document.replace('"COPY":', '"MOVE":'))).toEqual(
    expect.arrayContaining(["operation-removed", "operation-added"]),
  );
  expect(await change((document) => document.replace('"maximum": 100', '"maximum": 50'))).toEqual([
    "request-maximum-lowered",
  ]);
});
