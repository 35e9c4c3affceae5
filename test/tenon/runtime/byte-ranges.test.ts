import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { type ByteRange, createHttpServer } from "../../../src/tenon/runtime/index.js";
import { createApi, type Handlers } from "../../fixtures/streams/generated/server.js";
import { close, listen } from "../../support/http.js";

const TEXT = "0123456789";
const MODIFIED = "Mon, 23 Nov 2026 12:00:00 GMT";

const errors = {
  errorBody: ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
  onFailure: () => undefined,
};

const folder = mkdtempSync(join(tmpdir(), "tenon-"));
beforeAll(() => {
  writeFileSync(join(folder, "digits"), TEXT);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The parts that were opened. */
let opened: ByteRange[] = [];
const source = {
  length: TEXT.length,
  read: (range: ByteRange) => {
    opened.push(range);
    return createReadStream(join(folder, "digits"), range);
  },
};

type GetFile = Handlers<object, object>["getFile"];

const GET_FILE: Readonly<Record<string, GetFile>> = {
  source: (_, reply) => reply[200](source, { headers: { ETag: '"a"', "Last-Modified": MODIFIED } }),
  bytes: (_, reply) => reply[200](Buffer.from(TEXT), { headers: { ETag: '"a"', "Last-Modified": MODIFIED } }),
  weak: (_, reply) => reply[200](source, { headers: { ETag: 'W/"a"' } }),
  empty: (_, reply) => reply[200]({ ...source, length: 0 }),
  stream: (_, reply) => reply[200](Readable.from([TEXT], { objectMode: false })),
  wrong: (_, reply) => reply[200]({ ...source, length: 20 }),
  failing: (_, reply) =>
    reply[200]({
      length: 10,
      read: () => {
        throw new Error("Unreadable");
      },
    }),
};

let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => {
  opened = [];
  if (server) await close(server);
});

/** Starts a service, and returns the address of the file. */
async function start(getFile: GetFile | undefined): Promise<string> {
  const unused = (): never => {
    throw new Error("Unused");
  };
  const app = express();
  app.use(
    createApi({
      ...errors,
      handlers: {
        chat: unused,
        listChanges: unused,
        exportChanges: unused,
        importChanges: unused,
        addAttachment: unused,
        putFile: unused,
        getFile: getFile ?? unused,
      },
    }),
  );
  server = createHttpServer(app, errors);
  return `http://127.0.0.1:${await listen(server)}/v1/files/file`;
}

async function get(name: string, headers: Readonly<Record<string, string>>, method = "GET") {
  const response = await fetch(await start(GET_FILE[name]), { method, headers });
  const { status } = response;
  const [length, range, accepts] = ["content-length", "content-range", "accept-ranges"].map((key) =>
    response.headers.get(key),
  );
  return { status, length, range, accepts, text: await response.text().catch(() => "broken") };
}

const WHOLE = { status: 200, length: "10", range: null, accepts: "bytes", text: TEXT };
const part = (range: string, text: string) => ({
  status: 206,
  length: String(text.length),
  range: `bytes ${range}/10`,
  accepts: "bytes",
  text,
});

describe.each(["source", "bytes"])("a range of %s", (name) => {
  test.each([
    ["bytes=0-3", part("0-3", "0123")],
    ["bytes=4-", part("4-9", "456789")],
    ["bytes=9-9", part("9-9", "9")],
    ["bytes=5-500", part("5-9", "56789")],
    ["bytes=-3", part("7-9", "789")],
    ["bytes=-500", part("0-9", TEXT)],
    ["Bytes= 0-0 ", part("0-0", "0")],
    ["bytes=00000000000000000000000001-2", part("1-2", "12")],
  ])("%s is sent", async (range, expected) => {
    expect(await get(name, { range })).toEqual(expected);
  });

  test.each([
    "bytes=3-1",
    "bytes=0-1,4-5",
    "bytes=-",
    "bytes=a-b",
    "bytes=1",
    "items=0-3",
    "bytes=0-1-2",
    "",
  ])("%s is ignored", async (range) => {
    expect(await get(name, { range })).toEqual(WHOLE);
  });

  test.each(["bytes=10-", "bytes=10-20", "bytes=99999999999999999999-", "bytes=-0"])(
    "%s is refused",
    async (range) => {
      const { status, range: found, text } = await get(name, { range });
      expect({ status, found }).toEqual({ status: 416, found: "bytes */10" });
      expect(JSON.parse(text)).toMatchObject({ code: "range_not_satisfiable" });
    },
  );

  test.each([
    ['"a"', 206],
    [MODIFIED, 206],
    ['"b"', 200],
    ['W/"a"', 200],
    ["Mon, 23 Nov 2026 12:00:01 GMT", 200],
    ["", 200],
  ])("with If-Range: %s", async (ifRange, status) => {
    expect((await get(name, { range: "bytes=1-2", "if-range": ifRange })).status).toBe(status);
  });

  test("is not a part of the response to HEAD", async () => {
    expect(await get(name, { range: "bytes=0-3" }, "HEAD")).toEqual({ ...WHOLE, text: "" });
    expect(opened).toEqual([]);
  });
});

test("only the part is opened", async () => {
  await get("source", { range: "bytes=2-4" });
  expect(opened).toEqual([{ start: 2, end: 4 }]);
});

test("a weak ETag does not say that the bytes are the same", async () => {
  expect(await get("weak", { range: "bytes=1-2", "if-range": 'W/"a"' })).toEqual(WHOLE);
});

const EMPTY = { ...WHOLE, length: "0", text: "" };

test.each([
  [{}, EMPTY],
  [{ range: "bytes=-5" }, EMPTY],
  [{ range: "bytes=0-" }, expect.objectContaining({ status: 416, range: "bytes */0" })],
])("no bytes: %j", async (headers, expected) => {
  expect(await get("empty", headers)).toEqual(expected);
});

test("a stream has no known length, and is sent as a whole", async () => {
  const whole = { status: 200, length: null, range: null, accepts: null, text: TEXT };
  expect(await get("stream", { range: "bytes=0-3" })).toEqual(whole);
});

test("a source that is shorter than it says breaks the response", async () => {
  expect(await get("wrong", {})).toMatchObject({ status: 200, length: "20", text: "broken" });
});

test("a source that cannot be opened is an error response without the length of the bytes", async () => {
  const { status, accepts, text } = await get("failing", {});
  expect({ status, accepts }).toEqual({ status: 500, accepts: null });
  expect(JSON.parse(text)).toMatchObject({ code: "internal_error" });
});

test("a client that leaves closes the part", async () => {
  const file = join(folder, "large");
  writeFileSync(file, Buffer.alloc(20_000_000));
  let closed: Promise<unknown> = Promise.resolve();
  const read = (range: ByteRange) => {
    const stream = createReadStream(file, range);
    closed = once(stream, "close");
    return stream;
  };
  const url = await start((_, reply) => reply[200]({ length: 20_000_000, read }));
  const response = await fetch(url, { headers: { range: "bytes=1000000-" } });
  await response.body?.cancel();
  await closed;
  expect(response.status).toBe(206);
});
