import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { createHttpServer, HttpError, type Failure } from "../../../src/tenon/runtime/index.js";
import { createApi, type Handlers, type NewChangeRequest } from "../../fixtures/streams/generated/server.js";
import { createDirectory } from "../../support/directory.js";
import { close, listen, send } from "../../support/http.js";
import { until } from "../../support/until.js";

let server: ReturnType<typeof createHttpServer>;
let port = 0;
let failures: Failure[] = [];
afterEach(() => close(server));

type All = Handlers<object, object>;

async function store(stream: Readable) {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.byteLength;
  }
  return { size, sha256: hash.digest("hex") };
}

/** Imports changes until the query's `most`. */
const importChanges: All["importChanges"] = async ({ query, body }, reply) => {
  let [count, sum] = [0, 0];
  for await (const { number } of body.value) {
    count += 1;
    sum += number;
    if (count === query.most) break;
  }
  return reply[200]({ count, sum });
};

async function start(own: Partial<All> = {}, options: object = {}): Promise<void> {
  failures = [];
  const handlers: All = {
    chat: (_, reply) => reply[200]([]),
    listChanges: (_, reply) => reply[200]([]),
    exportChanges: (_, reply) => reply[200].jsonl([]),
    getFile: (_, reply) => reply[200](new Uint8Array()),
    importChanges,
    addAttachment: async ({ body }, reply) => reply[200](await store(body.file.stream())),
    putFile: async ({ body }, reply) => reply[200](await store(body)),
    ...own,
  };
  const errors = {
    errorBody: ({ code, message }: { readonly code: string; readonly message: string }) => ({
      code,
      message,
    }),
    onFailure: (failure: Failure) => void failures.push(failure),
  };
  const app = express();
  app.use(createApi({ handlers, ...errors, ...options }));
  server = createHttpServer(app, { ...errors, ...options });
  port = await listen(server);
}

const LINES = { "content-type": "application/jsonl" };
const RECORDS = { "content-type": "application/json-seq" };

const post = (body: string | Buffer, headers: object = LINES, query = "") =>
  send(port, `/v1/import${query}`, { method: "POST", headers: { ...headers }, body });

/** Opens a connection that has sent the head of a request. */
async function open(path: string, headers: readonly string[], body = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.write([`POST ${path} HTTP/1.1`, "Host: x", ...headers, "", body].join("\r\n"));
  return socket;
}

const CHUNKED = ["Content-Type: application/jsonl", "Transfer-Encoding: chunked"];
const toChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

describe("items of a request body", () => {
  test.each([
    ["lines", LINES, '{"number":1}\n{"number":2}\n'],
    ["lines without a last line break", LINES, '{"number":1}\n{"number":2}'],
    ["lines with other line breaks and blank lines", LINES, '\r\n{"number":1}\r\n \t\n\n{"number":2}\r\n\n'],
    ["records", RECORDS, '\u001E{"number":1}\n\u001E{"number":\n2}\n'],
    ["records with blank ones", RECORDS, ' \u001E\u001E{"number":1}\u001E{"number":2}\u001E\n'],
  ])("are read as %s", async (_, headers, body) => {
    await start();
    expect((await post(body, headers)).json).toEqual({ count: 2, sum: 3 });
  });

  test("are none in an empty body", async () => {
    await start();
    expect((await post("", { ...LINES, "content-length": "0" })).json).toEqual({ count: 0, sum: 0 });
    expect((await post("", { ...LINES, "transfer-encoding": "chunked" })).json).toEqual({ count: 0, sum: 0 });
  });

  test("are read however the body is divided, also when it is compressed", async () => {
    await start();
    const body = Buffer.from('{"number":1,"tags":["ü"]}\n{"number":2,"owner":{"name":"é"}}\n');
    for (let size = 1; size < 40; size += 1) {
      const socket = await open("/v1/import", CHUNKED);
      for (let at = 0; at < body.byteLength; at += size) {
        const part = body.subarray(at, at + size);
        socket.write(
          Buffer.concat([Buffer.from(`${part.byteLength.toString(16)}\r\n`), part, Buffer.from("\r\n")]),
        );
        await new Promise(setImmediate);
      }
      socket.write("0\r\n\r\n");
      expect(String(await once(socket, "data"))).toContain('{"count":2,"sum":3}');
      socket.destroy();
    }
    const gzip = { ...LINES, "content-encoding": "gzip" };
    expect((await post(gzipSync(body), gzip)).json).toEqual({ count: 2, sum: 3 });
  });

  test("have defaults, and no readOnly members", async () => {
    const found: NewChangeRequest[] = [];
    await start({
      importChanges: async ({ body }, reply) => {
        for await (const item of body.value) found.push(item);
        return reply[200]({ count: found.length, sum: 0 });
      },
    });
    expect((await post('{"number":1,"other":2}\n')).status).toBe(200);
    expect(found).toEqual([{ number: 1, tags: [], other: 2 }]);
    expect((await post('{"number":1,"id":"7"}\n')).json).toEqual({
      code: "invalid_body",
      message: 'Line 1, field "id" is not allowed',
    });
  });

  test.each([
    ["an invalid member", '{"number":0}', "invalid_body", 'Line 3, field "number" must be at least 1'],
    [
      "an invalid inner member",
      '{"number":1,"owner":{"name":""}}',
      "invalid_body",
      'Line 3, field "owner/name" must not have fewer than 1 characters',
    ],
    ["another type", "7", "invalid_body", "Line 3 must be an object"],
    ["a large integer", '{"number":9007199254740993}', "invalid_body", /^Line 3, field "number" must be /],
    ["no JSON", '{"number":1', "malformed_json", "Line 3 is not JSON (column 12)"],
    ["two values", '{"number":1}{"number":1}', "malformed_json", "Line 3 is not JSON (column 13)"],
    ["a member twice", '{"number":1,"number":1}', "malformed_json", "Line 3 has a member twice (column 13)"],
    [
      "too many levels",
      `{"number":1,"x":${"[".repeat(70)}${"]".repeat(70)}}`,
      "malformed_json",
      /^Line 3 has more than 64 levels of nesting/,
    ],
    [
      "a NUL character",
      '{"number":1,"x":"\\u0000"}',
      "malformed_json",
      /^Line 3 has text with a NUL character/,
    ],
    ["a byte order mark", '\uFEFF{"number":1}', "malformed_json", "Line 3 is not JSON (column 1)"],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "malformed_json", "Line 3 is not UTF-8"],
    [
      "too many bytes",
      `{"number":1,"x":"${"x".repeat(200)}"}`,
      "content_too_large",
      "Line 3 is larger than 200 bytes",
    ],
  ])("with %s end the import", async (_, line, code, message) => {
    let count = 0;
    await start(
      {
        importChanges: async ({ body }, reply) => {
          for await (const item of body.value) count += item.number;
          return reply[200]({ count, sum: 0 });
        },
      },
      { bodyLimit: 200, streamLimit: 1_000 },
    );
    const rest = '\n{"number":1000}\n';
    const body = Buffer.concat([Buffer.from('{"number":1}\n\n'), Buffer.from(line), Buffer.from(rest)]);
    const { status, json } = await post(body);
    expect([status, json]).toEqual([
      code === "content_too_large" ? 413 : 400,
      { code, message: typeof message === "string" ? message : expect.stringMatching(message) },
    ]);
    // The one before it was read.
    expect(count).toBe(1);
  });

  test("are named by their record in a sequence", async () => {
    await start();
    const { json } = await post('\u001E{"number":1}\n\u001E{"number":\n}\n', RECORDS);
    expect(json).toEqual({ code: "malformed_json", message: "Record 2 is not JSON (line 2, column 1)" });
    const { json: early } = await post('{"number":1}\n', RECORDS);
    expect(early).toEqual({ code: "malformed_json", message: "The body does not begin with U+001E" });
  });

  test("that are invalid can be caught, with their place", async () => {
    const caught: unknown[] = [];
    await start({
      importChanges: async ({ body }, reply) => {
        let count = 0;
        try {
          for await (const item of body.value) count += item.number;
        } catch (error) {
          if (!(error instanceof HttpError)) throw error;
          caught.push(error.violations);
        }
        return reply[200]({ count, sum: 0 });
      },
    });
    const { json } = await post('{"number":5}\n\n{"number":0}\n');
    expect(json).toEqual({ count: 5, sum: 0 });
    expect(caught).toEqual([[{ in: "body", path: ["1", "number"], text: "must be at least 1" }]]);
  });

  test("are handed over before the body is complete", async () => {
    const items: number[] = [];
    let next: () => void = () => undefined;
    await start({
      importChanges: async ({ body }, reply) => {
        for await (const { number } of body.value) {
          items.push(number);
          next();
        }
        return reply[200]({ count: items.length, sum: 0 });
      },
    });
    const socket = await open("/v1/import", CHUNKED);
    for (let number = 1; number <= 3; number += 1) {
      const read = new Promise<void>((resolve) => (next = resolve));
      socket.write(toChunk(`{"number":${number}}\n`));
      await read;
      expect(items).toHaveLength(number);
    }
    socket.write("0\r\n\r\n");
    expect(String(await once(socket, "data"))).toContain('{"count":3,"sum":0}');
    socket.destroy();
  });

  test("are sent no faster than the handler reads them", async () => {
    let proceed: () => void = () => undefined;
    const paused = new Promise<void>((resolve) => (proceed = resolve));
    await start(
      {
        importChanges: async ({ body }, reply) => {
          let count = 0;
          for await (const item of body.value) {
            if (count === 0) await paused;
            count += item.number;
          }
          return reply[200]({ count, sum: 0 });
        },
      },
      { streamLimit: Infinity },
    );
    const socket = await open("/v1/import", CHUNKED);
    const chunk = toChunk(`{"number":1,"x":"${"x".repeat(60_000)}"}\n`);
    let sent = 0;
    // The buffers of the system and of Node are full.
    while (socket.writableLength < 1_000_000) {
      socket.write(chunk);
      sent += 1;
      await new Promise(setImmediate);
      expect(sent).toBeLessThan(2_000);
    }
    proceed();
    socket.end("0\r\n\r\n");
    expect(String(await once(socket, "data"))).toContain(`{"count":${sent},"sum":0}`);
  });

  test("count for coverage once they are valid", async () => {
    const folder = createDirectory();
    process.env["TENON_COVERAGE"] = folder;
    await start();
    delete process.env["TENON_COVERAGE"];
    await post('{"number":1}\n{"number":2,"owner":{"name":"a"}}\n{"number":0,"tags":["a"]}\n');
    const records = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    const ids = records.join("").match(/NewChange\/properties\/[^"]*/g) ?? [];
    const owner = "NewChange/properties/owner";
    expect(ids).toEqual([
      ...["NewChange/properties/number", "NewChange/properties/number/minimum"],
      ...[owner, `${owner}/properties/name`, `${owner}/properties/name/minLength`],
    ]);
  });

  test("end with an error when the caller leaves", async () => {
    let end: (error: unknown) => void = () => undefined;
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await start({
      importChanges: async ({ body }, reply) => {
        try {
          for await (const item of body.value) if (item.number === 1) begin();
        } catch (error) {
          end(error);
          throw error;
        }
        return reply[200]({ count: 0, sum: 0 });
      },
    });
    const socket = await open("/v1/import", CHUNKED);
    socket.write(toChunk('{"number":1}\n{"nu'));
    await begun;
    socket.destroy();
    expect(await ended).toMatchObject({
      code: "malformed_request",
      message: "The body is not as long as announced",
    });
  });
});

describe("limits of a streamed body", () => {
  const body = '{"number":1}\n'.repeat(100);

  test.each([
    ["Content-Length", body, LINES],
    ["bytes", body, { ...LINES, "transfer-encoding": "chunked" }],
    ["bytes after decompression", gzipSync(body), { ...LINES, "content-encoding": "gzip" }],
  ])("apply to its %s", async (_, bytes, headers) => {
    await start({}, { bodyLimit: 50, streamLimit: 1_000 });
    const { status, json } = await post(bytes, headers);
    expect([status, json]).toEqual([
      413,
      { code: "content_too_large", message: "The body is larger than 1000 bytes" },
    ]);
  });

  test("are those of other bodies by default, and can be lifted", async () => {
    await start({}, { bodyLimit: 50, uploadLimit: 1_000 });
    expect((await post(body)).status).toBe(413);
    await close(server);
    await start({}, { bodyLimit: 50, streamLimit: Infinity });
    expect((await post(body)).json).toEqual({ count: 100, sum: 100 });
  });

  test.each([
    ["an unknown coding", "zip", 415, "Content-Encoding must be gzip, deflate, br or identity"],
    ["another coding than its own", "br", 400, "The body cannot be decompressed"],
  ])("refuse %s", async (_, coding, status, message) => {
    await start();
    const answer = await post(body, { ...LINES, "content-encoding": coding });
    expect([answer.status, (answer.json as { message: string }).message]).toEqual([status, message]);
  });
});

describe("a body that its handler does not read to the end", () => {
  test("leaves the connection open if it is small and was not read", async () => {
    await start({ importChanges: (_, reply) => reply.default(409, { code: "busy", message: "Busy" }) });
    const text = '{"number":1}\n';
    const socket = await open("/v1/import", ["Content-Type: application/jsonl", "Content-Length: 13"], text);
    const first = String(await once(socket, "data"));
    expect(first).toMatch(/^HTTP\/1.1 409 /);
    expect(first).not.toContain("Connection: close");
    socket.write("GET /v1/files/x HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  test.each([
    [
      "not read",
      (_: unknown, reply: Parameters<All["importChanges"]>[1]) => reply[200]({ count: 1, sum: 1 }),
    ],
    ["read in part", importChanges],
  ])("gets its response, and the connection closes: %s", async (_, handler) => {
    await start({ importChanges: handler }, { streamLimit: Infinity });
    const socket = await open("/v1/import?most=1", CHUNKED);
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    const closed = once(socket, "close");
    const chunk = toChunk('{"number":1}\n'.repeat(1_000));
    const timer = setInterval(() => socket.write(chunk), 1);
    await closed;
    clearInterval(timer);
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/);
    expect(text).toContain('{"count":1,"sum":1}');
  });
});

describe("a body of bytes", () => {
  const bytes = Buffer.alloc(3_000_000, "0123456789abcdef");
  const put = (body: Buffer, headers = {}) =>
    send(port, "/v1/files/a", {
      method: "PUT",
      headers: { "content-type": "application/octet-stream", ...headers },
      body,
    });
  const sha256 = createHash("sha256").update(bytes).digest("hex");

  test("is a stream for the handler", async () => {
    await start({}, { streamLimit: Infinity });
    expect((await put(bytes)).json).toEqual({ size: 3_000_000, sha256 });
    expect((await put(gzipSync(bytes), { "content-encoding": "gzip" })).json).toEqual({
      size: 3_000_000,
      sha256,
    });
  });

  test("can be collected, and be sent back", async () => {
    await start(
      {
        putFile: async ({ body }, reply) => reply[200]({ size: (await buffer(body)).byteLength, sha256: "" }),
      },
      { streamLimit: Infinity },
    );
    expect((await put(bytes)).json).toEqual({ size: 3_000_000, sha256: "" });
  });

  test("does not end the process when the caller leaves before it is read", async () => {
    let proceed: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (proceed = resolve));
    let called: () => void = () => undefined;
    const calling = new Promise<void>((resolve) => (called = resolve));
    let end: (error: unknown) => void = () => undefined;
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    await start({
      putFile: async ({ body }, reply) => {
        called();
        await left;
        await buffer(body).catch(end);
        return reply[200]({ size: 0, sha256: "" });
      },
    });
    const socket = await open("/v1/files/a", []);
    socket.destroy();
    const upload = connect(port, "127.0.0.1");
    upload.write(
      "PUT /v1/files/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\n1",
    );
    await calling;
    const gone = new Promise((resolve) => server.once("connection", resolve));
    upload.destroy();
    // A later connection is accepted after the end of this one was noticed.
    connect(port, "127.0.0.1").once("connect", function (this: Socket) {
      this.destroy();
    });
    await gone;
    proceed();
    expect(await ended).toMatchObject({ code: "malformed_request" });
  });
});

describe("a file of a form", () => {
  const bytes = Buffer.alloc(300_000, "0123456789abcdef");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const folder = createDirectory();
  const disk = {
    uploadLimit: 1_000_000,
    fileLimit: 500_000,
    memoryLimit: 1_000,
    temporaryFolder: folder,
  };
  const missing = { temporaryFolder: join(folder, "missing") };

  const attach = async (fields: Readonly<Record<string, Buffer | string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields))
      form.append(name, typeof value === "string" ? value : new Blob([value]));
    const response = await fetch(`http://127.0.0.1:${port}/v1/attachments`, { method: "POST", body: form });
    return { status: response.status, json: await response.json() };
  };
  const isEmpty = () => readdirSync(folder).length === 0;

  test("is on the disk until the response is sent, if it is large", async () => {
    const found: unknown[] = [];
    await start(
      {
        addAttachment: async ({ body: { file, preview, note } }, reply) => {
          found.push(readdirSync(folder).length, file.size, preview?.size, note);
          found.push(
            Buffer.compare(file.bytes, bytes),
            preview && (await buffer(preview.stream())).byteLength,
          );
          return reply[200](await store(file.stream()));
        },
      },
      disk,
    );
    const { json } = await attach({ preview: bytes.subarray(0, 999), file: bytes, note: "ü" });
    expect(json).toEqual({ size: 300_000, sha256 });
    expect(found).toEqual([1, 300_000, 999, "ü", 0, 999]);
    await until(isEmpty);
  });

  test("is in memory otherwise", async () => {
    await start({}, { ...disk, ...missing, memoryLimit: 300_000 });
    expect((await attach({ file: bytes })).json).toEqual({ size: 300_000, sha256 });
  });

  test("is a failure of the service if the disk fails", async () => {
    await start({}, { ...disk, ...missing });
    expect((await attach({ file: bytes })).status).toBe(500);
  });

  test("is validated by its schema, also on the disk", async () => {
    await start({}, disk);
    expect(await attach({ file: bytes, preview: bytes })).toEqual({
      status: 400,
      json: { code: "invalid_body", message: 'Field "preview" must not have more than 5000 bytes' },
    });
    await until(isEmpty);
  });

  test("has a limit", async () => {
    await start({}, { ...disk, fileLimit: 250_000 });
    expect(await attach({ preview: bytes.subarray(0, 2_000), file: bytes })).toEqual({
      status: 413,
      json: { code: "content_too_large", message: 'Field "file" is larger than 250000 bytes' },
    });
    await until(isEmpty);
  });

  test("is gone when the caller leaves", async () => {
    await start({}, disk);
    const type = "Content-Type: multipart/form-data; boundary=b";
    const socket = await open("/v1/attachments", [type, "Content-Length: 400000"]);
    socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    socket.write(bytes);
    await until(() => !isEmpty());
    socket.destroy();
    await until(isEmpty);
    expect(failures.filter(({ phase }) => phase === "request")).toMatchObject([
      { problem: { code: "malformed_request" } },
    ]);
  });
});
