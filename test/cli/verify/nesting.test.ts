// @thorough: sends deep bodies to a service.
import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { MAX_NESTING, MAX_VALUES } from "../../../src/cli/verify/messages/index.js";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { verifyServer } from "./run.js";

const node = { $ref: "#/components/schemas/Node" };
const content = { "application/json": { schema: node } };

const contract = toContract({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  servers: [{ url: "https://a.example" }],
  paths: {
    "/nodes": {
      get: {
        operationId: "getNode",
        responses: {
          "200": { description: "A node.", content, headers: { "X-Node": { content } } },
          "400": { description: "Bad." },
        },
      },
    },
  },
  components: {
    schemas: {
      Node: { type: ["object", "null"], properties: { child: { oneOf: [{ allOf: [node] }] } } },
    },
  },
});

/** Verifies a service whose bodies and headers are nested. */
async function verifyNested(depth: number): Promise<readonly string[]> {
  const nest = (levels: number) => `${'{"child":'.repeat(levels)}null${"}".repeat(levels)}`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "x-node": nest(Math.min(depth, 1_000)) });
    response.end(nest(depth));
  });
  const { failures } = await verifyServer(contract, server, { runs: 1 });
  return failures
    .filter(({ check }) => check === "body" || check === "headers")
    .map(({ message }) => message);
}

test("a response that is nested too deep is a finding and does not end the run", async () => {
  const message = `The body of 200 has more than ${MAX_NESTING} levels of nesting`;
  for (const depth of [MAX_NESTING + 1, 7_000, 100_000]) expect(await verifyNested(depth)).toContain(message);
});

test("a response of too many values is a finding, and is not validated", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`[0${",0".repeat(MAX_VALUES)}]`);
  });
  const { failures } = await verifyServer(contract, server, { runs: 1 });
  const messages = failures.map(({ message }) => message);
  expect(messages).toContain(`The body of 200 has more than ${MAX_VALUES} values`);
});

test("a response of the allowed depth is validated", async () => {
  expect(await verifyNested(MAX_NESTING - 1)).toEqual([]);
});
