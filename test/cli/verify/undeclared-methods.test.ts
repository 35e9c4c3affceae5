import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "@jest/globals";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { verifyServer } from "./run.js";

const contract = toContract({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {
    "/a": {
      get: {
        operationId: "getA",
        parameters: [{ name: "k", in: "query", schema: { type: "string" } }],
        responses: { "200": { description: "An object.", content: { "application/json": { schema: {} } } } },
      },
    },
  },
});

const FAILURES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
  "server-error": (_, response) => response.writeHead(500, { "content-type": "application/json" }).end("{}"),
  "no-answer": (request) => request.socket.destroy(),
};

test.each(Object.keys(FAILURES))(
  "a service that fails for undeclared methods is a finding: %s",
  async (check) => {
    const server = createServer((request, response) => {
      request.resume();
      if (request.method !== "GET") FAILURES[check]?.(request, response);
      else response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    const { failures } = await verifyServer(contract, server);
    expect(failures).toContainEqual(
      expect.objectContaining({ check, phase: "access", operations: ["getA"] }),
    );
  },
);
