import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import express from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createRouter, type Problem } from "../../../src/tenon/runtime/index.js";
import { close, listen, send } from "../../support/http.js";

const BODY = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 2 },
    items: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
  },
};
const FILTER = { type: "object", additionalProperties: false, properties: { age: { type: "integer" } } };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {
    "/things/{id}": {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
        { name: "filter", in: "query", style: "deepObject", explode: true, schema: FILTER },
        { name: "X-Count", in: "header", schema: { type: "integer", maximum: 9 } },
        { name: "seen", in: "cookie", schema: { type: "integer" } },
      ],
      put: {
        operationId: "putThing",
        requestBody: {
          required: true,
          content: { "application/json": { schema: BODY }, "multipart/form-data": { schema: BODY } },
        },
        responses: { "204": { description: "d" } },
      },
    },
  },
};
let server: Server;
let port: number;
beforeAll(async () => {
  const app = express();
  app.use(
    createRouter(buildContract(DOCUMENT), {
      handlers: { putThing: (_: unknown, reply: { 204: () => unknown }) => reply[204]() },
      errorBody: (problem) => problem,
    }),
  );
  server = createServer(app as RequestListener);
  port = await listen(server);
});
afterAll(() => close(server));

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function put({ path = "/things/1", headers, body = '{"name":"Rex"}' }: Sent): Promise<Problem> {
  const json = { "content-type": "application/json", ...headers };
  return (await send(port, path, { method: "PUT", headers: json, body })).json as Problem;
}

const FORM = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nR\r\n--x--\r\n';

test.each<[what: string, sent: Sent, code: string, violations: Problem["violations"]]>([
  [
    "a path parameter",
    { path: "/things/0" },
    "invalid_parameter",
    [{ in: "path", path: ["id"], text: "must be at least 1" }],
  ],
  [
    "something in a query parameter",
    { path: "/things/1?filter[age]=x" },
    "invalid_parameter",
    [{ in: "query", path: ["filter", "age"], text: "must be an integer in plain decimal digits" }],
  ],
  [
    "an unknown query parameter",
    { path: "/things/1?colour=red" },
    "invalid_parameter",
    [{ in: "query", path: ["colour"], text: "is unknown" }],
  ],
  [
    "a header, by its declared name",
    { headers: { "x-count": "10" } },
    "invalid_parameter",
    [{ in: "header", path: ["X-Count"], text: "must be at most 9" }],
  ],
  [
    "a cookie",
    { headers: { cookie: "seen=x" } },
    "invalid_parameter",
    [{ in: "cookie", path: ["seen"], text: "must be an integer in plain decimal digits" }],
  ],
  [
    "members of a body",
    { body: '{"items":[{},{"price":"1"}]}' },
    "invalid_body",
    [
      { in: "body", path: ["name"], text: "is required" },
      { in: "body", path: ["items", "1", "price"], text: "must be a number" },
    ],
  ],
  [
    "a body as a whole",
    { body: "[]" },
    "invalid_body",
    [{ in: "body", path: [], text: "must be an object" }],
  ],
  [
    "a field of a form",
    { headers: { "content-type": "multipart/form-data; boundary=x" }, body: FORM },
    "invalid_body",
    [{ in: "body", path: ["name"], text: "must not have fewer than 2 characters" }],
  ],
  [
    "a parameter and a body",
    { path: "/things/0", body: "{}" },
    "invalid_parameter",
    [
      { in: "path", path: ["id"], text: "must be at least 1" },
      { in: "body", path: ["name"], text: "is required" },
    ],
  ],
])("an error body can have what is wrong with %s", async (_, sent, code, violations) => {
  expect(await put(sent)).toMatchObject({ code, violations });
});

test("there is no such list where nothing is said of a value", async () => {
  expect(await put({ body: "{" })).not.toHaveProperty("violations");
  expect((await send(port, "/nothing")).json).not.toHaveProperty("violations");
});

test("the list ends somewhere, whatever is sent", async () => {
  const items = Array.from({ length: 1000 }, () => ({ price: "1" }));
  const { violations } = await put({ body: JSON.stringify({ name: "Rex", items }) });
  expect(violations).toHaveLength(100);
});
