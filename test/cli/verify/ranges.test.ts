// @slow: verifies several services.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "@jest/globals";
import express from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createApi, type GetFileReplies, type Handlers } from "../../fixtures/streams/generated/server.js";
import { verifyServer } from "./run.js";

const BYTES = Buffer.from("0123456789");
const LENGTH = BYTES.byteLength;
const TAG = '"v1"';

const toDocument = (statuses: readonly string[]) => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {
    "/file": {
      get: {
        operationId: "getFile",
        responses: Object.fromEntries(
          ["200", ...statuses].map((status) => [
            status,
            {
              description: "Bytes.",
              ...(status !== "416" && { content: { "application/octet-stream": {} } }),
            },
          ]),
        ),
      },
    },
  },
});

const contract = buildContract(toDocument(["206", "416"]));

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The right answer to a request. */
function respond({ headers: { range = "", "if-range": ifRange = TAG } }: IncomingMessage): Answer {
  const usual = { etag: TAG, "accept-ranges": "bytes", "content-type": "application/octet-stream" };
  const whole = { status: 200, headers: usual, body: BYTES };
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (ifRange !== TAG || (first === "" && last === "")) return whole;
  const start = first === "" ? Math.max(0, LENGTH - Number(last)) : Number(first);
  const end = first === "" || last === "" ? LENGTH - 1 : Math.min(Number(last), LENGTH - 1);
  if (last !== "" && first !== "" && Number(last) < start) return whole;
  if (start >= LENGTH)
    return { status: 416, headers: { "content-range": `bytes */${LENGTH}` }, body: Buffer.alloc(0) };
  return {
    status: 206,
    headers: { ...usual, "content-range": `bytes ${start}-${end}/${LENGTH}` },
    body: BYTES.subarray(start, end + 1),
  };
}

/** Serves a file with a fault. */
function serve(spoil: (answer: Answer, request: IncomingMessage) => Partial<Answer> | undefined) {
  return createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "GET") {
      response.writeHead(405, { allow: "GET" }).end();
      return;
    }
    const answer = respond(request);
    const { status, headers, body } = { ...answer, ...spoil(answer, request) };
    response.writeHead(status, headers).end(body);
  });
}

type Spoil = Parameters<typeof serve>[0];

const WHOLE = {
  status: 200,
  body: BYTES,
  headers: { "content-type": "application/octet-stream", etag: TAG },
};
const partial =
  (change: (answer: Answer) => Partial<Answer>): Spoil =>
  (answer) =>
    answer.status === 206 ? change(answer) : undefined;

test.each<[name: string, spoil: Spoil, messages: readonly string[]]>([
  ["keeps the contract", () => undefined, []],
  [
    "has no Content-Range",
    partial(() => ({ headers: WHOLE.headers })),
    ["has the Content-Range absent; expected bytes 0-0/10"],
  ],
  [
    "counts the end one too far",
    partial(({ headers }) => ({
      headers: { ...headers, "content-range": "bytes 0-1/10" },
    })),
    ["has the Content-Range bytes 0-1/10; expected bytes 0-0/10"],
  ],
  [
    "sends a byte too many",
    partial(({ body }) => ({ body: Buffer.concat([body, Buffer.from("x")]) })),
    ["has 2 bytes that are not the bytes 0 to 0 of the whole"],
  ],
  [
    "sends other bytes",
    partial(({ body }) => ({ body: Buffer.alloc(body.byteLength, "x") })),
    ["has 1 bytes that are not the bytes 0 to 0 of the whole"],
  ],
  [
    "sends the whole as a part",
    partial(() => ({ body: BYTES })),
    ["has 10 bytes that are not the bytes 0 to 0 of the whole"],
  ],
  [
    "sends a part as the whole",
    partial(() => ({ status: 200 })),
    ["is 200, and its 1 bytes are not the whole"],
  ],
  [
    "ignores ranges",
    () => WHOLE,
    ["Ranges are ignored: the contract declares 206, and every response is the whole"],
  ],
  [
    "refuses the end of a range after the last byte",
    (_, { headers: { range = "" } }) =>
      range === `bytes=1-${LENGTH + 1_000}`
        ? { status: 416, headers: { "content-range": "bytes */10" }, body: Buffer.alloc(0) }
        : undefined,
    ["is 416; the whole has 10 bytes"],
  ],
  [
    "does not say how long the whole is",
    ({ status }) => (status === 416 ? { headers: {} } : undefined),
    ["is 416 with the Content-Range absent; expected bytes */10"],
  ],
  [
    "sends an empty part after the end",
    ({ status }) =>
      status === 416
        ? {
            status: 206,
            headers: { ...WHOLE.headers, "content-range": "bytes 10-9/10" },
            body: Buffer.alloc(0),
          }
        : undefined,
    ["is 206; there are no bytes in it"],
  ],
  [
    "ignores If-Range",
    (_, { headers: { range, "if-range": ifRange } }) =>
      range === "bytes=1-1" && ifRange !== undefined
        ? {
            status: 206,
            headers: { ...WHOLE.headers, "content-range": "bytes 1-1/10" },
            body: BYTES.subarray(1, 2),
          }
        : undefined,
    ["is 206; the bytes are not those that If-Range names"],
  ],
  [
    "takes any unit for bytes",
    (_, request) =>
      request.headers.range?.startsWith("tenons") === true
        ? {
            status: 206,
            headers: { ...WHOLE.headers, "content-range": "bytes 0-0/10" },
            body: BYTES.subarray(0, 1),
          }
        : undefined,
    ["is 206; an unknown unit has to be ignored"],
  ],
])("verify checks the ranges of a service that %s", async (_, spoil, messages) => {
  const { failures } = await verifyServer(contract, serve(spoil), { runs: 1 });
  expect(failures.map(({ check }) => check)).toEqual(messages.map(() => "ranges"));
  for (const [index, message] of messages.entries()) expect(failures[index]?.message).toContain(message);
});

test("verify does not ask for ranges that are not declared", async () => {
  const ranges: string[] = [];
  const server = serve((_, { headers: { range } }) => {
    if (range !== undefined) ranges.push(range);
    return undefined;
  });
  const { failures } = await verifyServer(buildContract(toDocument([])), server, { runs: 1 });
  expect([failures, ranges]).toEqual([[], []]);
});

test("verify finds nothing in the ranges of a service with Tenon", async () => {
  const url = new URL("../../fixtures/streams/generated/contract.json", import.meta.url);
  const streams = buildContract(
    JSON.parse(readFileSync(url, "utf8")) as object as Readonly<Record<string, unknown>>,
  );
  const app = express();
  const unused = () => {
    throw new Error("This operation is not tested");
  };
  const handlers = {
    ...Object.fromEntries(streams.operations.map(({ id }) => [id, unused])),
    getFile: (_: unknown, reply: GetFileReplies) => reply[200](BYTES, { headers: { ETag: TAG } }),
  } as unknown as Handlers<object, object>;
  app.use(createApi({ handlers, errorBody: ({ code, message }) => ({ code, message }) }));
  const options = { path: "/v1", runs: 1, operations: ["getFile"] };
  const { failures, operations: results } = await verifyServer(streams, createServer(app), options);
  expect(failures).toEqual([]);
  expect(results.map(({ statuses }) => Object.keys(statuses))).toEqual([
    expect.arrayContaining(["200", "206", "416"]),
  ]);
});
