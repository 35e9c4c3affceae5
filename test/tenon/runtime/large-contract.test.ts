import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import express from "express";
import { GENERATED_VERSION } from "../../../src/tenon/core/version/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { describeOperation } from "../../../src/tenon/runtime/contract/operation.js";
import { createContractRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen, send } from "../../support/http.js";

/** One more than have their validators made at start. */
const COUNT = 101;

const paths: Record<string, object> = {};
for (let number = 0; number < COUNT; number += 1) {
  // The last one's schema cannot be compiled.
  const schema =
    number === COUNT - 1 ? { type: "string", minLength: "x" } : { type: "integer", maximum: number };
  const path = `/number${number}`;
  paths[path] = {
    get: {
      operationId: `get${number}`,
      parameters: [{ name: "at", in: "query", schema }],
      responses: { "200": { description: "Found.", content: { "application/json": {} } } },
    },
  };
}

type Reply200 = Readonly<Record<200, (body: unknown) => unknown>>;

test("a large contract makes the validators of an operation with its first request", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-large-"));
  const file = join(folder, "contract.json");
  const info = { title: "Large", version: "1.0.0" };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info, paths }));
  const handlers = Object.fromEntries(
    Array.from({ length: COUNT }, (_, number) => `get${number}`).map((id) => [
      id,
      (_: unknown, reply: Reply200) => reply[200](id),
    ]),
  );
  const operations = buildContract({ openapi: "3.1.0", info, paths }).operations.map(describeOperation);
  const failures: unknown[] = [];
  const api = createContractRouter(
    { tenon: GENERATED_VERSION, operations, contractUrl: pathToFileURL(file) },
    {
      handlers,
      errorBody: (problem) => problem,
      onFailure: ({ problem, error }) => {
        if (problem.status >= 500) failures.push(error);
      },
    },
  );
  const server = createServer(express().use(api));
  const port = await listen(server);
  try {
    for (const time of ["first", "second"]) {
      expect([time, await send(port, "/number7?at=7")]).toMatchObject([time, { status: 200, json: "get7" }]);
      expect([time, await send(port, "/number7?at=8")]).toMatchObject([time, { status: 400 }]);
      expect([time, await send(port, "/number100?at=1")]).toMatchObject([time, { status: 500 }]);
    }
    expect(failures).toHaveLength(2);
  } finally {
    await close(server);
    rmSync(folder, { recursive: true });
  }
});
