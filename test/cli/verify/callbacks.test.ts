import { createServer, type RequestListener } from "node:http";
import { expect, test } from "@jest/globals";
import type { VerifyOptions, VerifyResult } from "../../../src/cli/verify/index.js";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { GIVE_UP_MS } from "../../support/until.js";
import { verifyServer } from "./run.js";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const order = {
  type: "object",
  required: ["id", "item"],
  properties: { id: { type: "integer" }, item: { type: "string" } },
};

const contract = toContract({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  servers: [{ url: "https://a.example" }],
  paths: {
    "/orders": {
      post: {
        operationId: "createOrder",
        requestBody: {
          required: true,
          ...json({
            type: "object",
            required: ["hooks"],
            properties: { hooks: { type: "object", properties: { url: { type: "string", format: "uri" } } } },
          }),
        },
        responses: {
          "201": { description: "Created.", ...json(order) },
          "400": { description: "Invalid." },
        },
        callbacks: {
          orderShipped: {
            "{$request.body#/hooks/url}/shipped?order={$response.body#/id}": {
              post: {
                parameters: [
                  {
                    name: "X-Attempt",
                    in: "header",
                    required: true,
                    schema: { type: "integer", minimum: 1 },
                  },
                  { name: "zone", in: "query", required: true, schema: { enum: ["north", "south"] } },
                ],
                requestBody: { required: true, ...json(order) },
                responses: {
                  "202": {
                    description: "Received.",
                    content: { "application/json": { schema: order, example: { id: 1, item: "Thanks" } } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const RIGHT: Sent = {
  method: "POST",
  path: "/shipped?order=7&zone=north",
  headers: { "Content-Type": "application/json", "X-Attempt": "1" },
  body: '{"id":7,"item":"Tea"}',
};

/** Verifies a service that sends a callback to loopback addresses, before it responds; undefined sends none. */
async function verifyOrders(
  sent: Sent | undefined,
  options: Partial<VerifyOptions> = {},
): Promise<{ readonly result: VerifyResult; readonly responses: readonly string[] }> {
  const responses: string[] = [];
  const serve = async (text: string): Promise<number> => {
    const { hooks } = JSON.parse(text) as { hooks: { url?: unknown } };
    const { url = "https://other.example" } = hooks;
    if (typeof url !== "string" || !URL.canParse(url)) return 400;
    if (sent === undefined || new URL(url).hostname !== "127.0.0.1") return 201;
    const { path, ...init } = sent;
    const response = await fetch(url + path, init);
    responses.push(`${response.status} ${await response.text()}`);
    return 201;
  };
  const listener: RequestListener = (request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      void serve(text)
        .catch(() => 400)
        .then((status) => {
          response.writeHead(status, status === 201 ? { "Content-Type": "application/json" } : {});
          response.end(status === 201 ? '{"id":7,"item":"Tea"}' : "");
        });
    });
  };
  const result = await verifyServer(contract, createServer(listener), {
    runs: 1,
    callbackTime: GIVE_UP_MS,
    ...options,
  });
  return { result, responses };
}

const listCallbacks = ({ failures }: VerifyResult) =>
  failures.filter(({ check }) => check === "callbacks").map(({ message }) => message);

test("a callback that keeps the contract gets a declared response, and is no finding", async () => {
  const { result, responses } = await verifyOrders(RIGHT);
  expect(responses).toEqual(['202 {"id":1,"item":"Thanks"}']);
  expect(listCallbacks(result)).toEqual([]);
  expect(result.notes.join()).not.toContain("allback");
});

test.each<[string, Partial<Sent>, RegExp]>([
  [
    "an invalid body",
    { body: '{"id":"7","item":"Tea"}' },
    /the body is not valid: "\/id" is "7".*type "integer"/,
  ],
  ["a body that is not JSON", { body: "{" }, /the body is not JSON/],
  ["an undeclared member", { body: '{"id":7,"item":"Tea","secret":1}' }, /"secret".*not declare/],
  ["no body", { body: "" }, /has no body/],
  [
    "another media type",
    { headers: { ...RIGHT.headers, "Content-Type": "text/csv" } },
    /text\/csv.*declares/,
  ],
  ["a missing header", { headers: { "Content-Type": "application/json" } }, /header X-Attempt is missing/],
  ["an invalid header", { headers: { ...RIGHT.headers, "X-Attempt": "0" } }, /header X-Attempt is not valid/],
  ["a missing query parameter", { path: "/shipped?order=7" }, /query parameter zone is missing/],
  ["an invalid query parameter", { path: "/shipped?order=7&zone=up" }, /query parameter zone is not valid/],
  ["another method", { method: "PUT" }, /PUT.*declares POST/],
  ["another path", { path: "/done?order=7&zone=north" }, /\/done.*\/shipped\?order=7/],
  ["another query", { path: "/shipped?order=8&zone=north" }, /order=8.*order=7/],
])("a callback with %s is a finding", async (_, change, message) => {
  const { result } = await verifyOrders({ ...RIGHT, ...change });
  const [found, ...others] = listCallbacks(result);
  expect(found).toMatch(/createOrder/);
  expect(found).toMatch(message);
  expect(others).toEqual([]);
});

test("a callback that does not arrive in time is a note", async () => {
  const { result } = await verifyOrders(undefined, { callbackTime: 1 });
  expect(listCallbacks(result)).toEqual([]);
  expect(result.notes).toContain("The callback orderShipped of createOrder did not arrive within 0.001 s.");
});

test("no callback is received if the time is 0", async () => {
  const { result, responses } = await verifyOrders(RIGHT, { callbackTime: 0 });
  expect(responses).toEqual([]);
  expect(result.notes.join()).not.toContain("allback");
});
