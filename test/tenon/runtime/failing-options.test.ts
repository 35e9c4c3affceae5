import { afterEach, expect, jest, test } from "@jest/globals";
import express from "express";
import {
  createErrorHandler,
  createHttpServer,
  createRouter,
  HttpError,
  type Problem,
} from "../../../src/tenon/runtime/index.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { close, listen, send, sendRaw } from "../../support/http.js";

const contract = buildContract({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: { "/a": { get: { operationId: "getA", responses: { "204": { description: "Nothing." } } } } },
});

const failures: unknown[] = [];
const usual = {
  errorBody: ({ code }: Problem): unknown => ({ code }),
  onFailure: ({ error }: { readonly error: unknown }) => void failures.push(error),
};

let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => {
  failures.length = 0;
  jest.restoreAllMocks();
  if (server) await close(server);
});

/** Starts a service whose handler fails, or replies if there is no error. */
async function start(options: object, error?: unknown): Promise<number> {
  const errors = { ...usual, ...options };
  const handlers = {
    getA: (_: unknown, reply: Readonly<Record<204, () => unknown>>) => {
      if (error !== undefined) throw error as Error;
      return reply[204]();
    },
  };
  const app = express();
  app.use(createRouter(contract, { handlers, ...errors }));
  app.use(createErrorHandler(errors));
  server = createHttpServer(app, errors);
  return listen(server);
}

const broken = new Error("The option failed");
const fail = () => {
  throw broken;
};

test("an error with an invalid header becomes a 500", async () => {
  const error = new HttpError("forbidden", { headers: { "X-A": "a\nb" } });
  expect(await send(await start({}, error), "/a")).toMatchObject({
    status: 500,
    json: { code: "internal_error" },
  });
  expect(failures).toMatchObject([error, { code: "ERR_INVALID_CHAR" }]);
});

test("an error for which errorBody fails becomes a 500", async () => {
  const error = new HttpError("forbidden");
  const errorBody = (problem: Problem) => (problem.code === "forbidden" ? fail() : usual.errorBody(problem));
  expect(await send(await start({ errorBody }, error), "/a")).toMatchObject({
    status: 500,
    json: { code: "internal_error" },
  });
  expect(failures).toEqual([error, broken]);
});

test.each([
  ["fails", fail],
  ["returns what is not JSON", () => ({ count: 1n })],
])("an error is a 500 without a body when errorBody always %s", async (_, errorBody) => {
  const port = await start({ errorBody }, new HttpError("forbidden"));
  expect(await send(port, "/a")).toMatchObject({ status: 500, text: "" });
  expect(await send(port, "/unknown")).toMatchObject({ status: 500, text: "" });
  expect(await send(port, "/a")).toMatchObject({ status: 500, text: "" });
});

test("a request that is not HTTP is refused without a body when errorBody fails", async () => {
  const port = await start({ errorBody: fail });
  for (const request of [
    "what?\r\n\r\n",
    "GET /a HTTP/1.1\r\n\r\n",
    "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n",
  ])
    expect(await sendRaw(port, Buffer.from(request))).toMatch(/^HTTP\/1\.1 40[05] [^]*\r\n\r\n$/);
  expect(await send(port, "/a")).toMatchObject({ status: 204 });
});

test("an error that toHttpError fails to map becomes a 500", async () => {
  const error = new Error("The store failed");
  expect(await send(await start({ toHttpError: fail }, error), "/a")).toMatchObject({ status: 500 });
  expect(failures).toEqual([broken]);
});

test("a response is sent although onFailure fails", async () => {
  const print = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const port = await start({ onFailure: fail }, new HttpError("forbidden"));
  expect(await send(port, "/a")).toMatchObject({ status: 403, json: { code: "forbidden" } });
  expect(await sendRaw(port, Buffer.from("what?\r\n\r\n"))).toMatch(/^HTTP\/1\.1 400 /);
  expect(print.mock.calls).toEqual([
    ["onFailure failed:", broken],
    ["onFailure failed:", broken],
  ]);
});

test("a failure of an observer after the response is reported", async () => {
  const observe = () => ({ enter: () => undefined, answered: fail });
  const port = await start({ observe });
  expect(await send(port, "/a")).toMatchObject({ status: 204 });
  expect(failures).toEqual([broken]);
});
