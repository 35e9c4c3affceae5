import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import { BrokenStreamError, type ReconnectAttempt } from "../../../src/tenon/client/index.js";
import { createClient } from "../../fixtures/streams/generated/client.js";
import { close, listen } from "../../support/http.js";

const TEXT = "0123456789";
const QUICK = { delay: 1, maxDelay: 1 };
const PATH = { params: { path: { name: "a" } } };

let server: ReturnType<typeof createServer> | undefined;
afterEach(async () => {
  if (server) await close(server);
});

/** One response: how many bytes of the rest it sends before it breaks, its status and headers. */
interface Connection {
  readonly bytes?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const RANGES = { "accept-ranges": "bytes", etag: '"a"' };

/** Serves the connections in their order. Further requests get everything that is left. */
async function start(...connections: readonly Connection[]) {
  const asked: (readonly [range: string | undefined, ifRange: string | undefined])[] = [];
  const responses: ServerResponse[] = [];
  server = createServer(({ headers: { range, "if-range": ifRange } }, response) => {
    const { bytes, status, headers = RANGES } = connections[asked.length] ?? {};
    asked.push([range, ifRange as string | undefined]);
    responses.push(response);
    const from = Number(/\d+/.exec(range ?? "")?.[0] ?? 0);
    response.writeHead(status ?? (range === undefined ? 200 : 206), {
      "content-type": "application/octet-stream",
      "content-length": TEXT.length - from,
      ...(range && { "content-range": `bytes ${from}-9/10` }),
      ...headers,
    });
    const rest = TEXT.slice(from);
    if (bytes === undefined) response.end(rest);
    else response.write(rest.slice(0, bytes), () => response.destroy());
  });
  const client = createClient({ baseUrl: `http://127.0.0.1:${await listen(server)}`, reconnect: QUICK });
  return { client, asked, responses };
}

const read = async (stream: ReadableStream<Uint8Array> | undefined) =>
  Buffer.concat(await Readable.fromWeb(stream as never).toArray()).toString();

const findError = async (reading: Promise<unknown>) =>
  (await reading.catch((error: unknown) => error)) as BrokenStreamError;

test("bytes are a Blob, or a stream on request, and have these types", async () => {
  const { client } = await start();
  const whole: Blob | undefined = (await client.GET("/files/{name}", PATH)).data;
  expect(await whole?.text()).toBe(TEXT);
  expect(whole?.type).toBe("application/octet-stream");
  const { data } = await client.GET("/files/{name}", { ...PATH, parseAs: "stream" });
  const stream: ReadableStream<Uint8Array> | undefined = data;
  expect(await read(stream)).toBe(TEXT);
  const named: ReadableStream<Uint8Array> = await client
    .getFile({ path: { name: "a" }, parseAs: "stream" })
    .orThrow();
  expect(await read(named)).toBe(TEXT);
  const readItems = async (): Promise<ReadableStream | undefined> =>
    // @ts-expect-error -- The items of a stream are read one by one, in any case.
    (await client.GET("/changes", { parseAs: "stream" })).data;
  expect(readItems).toBeInstanceOf(Function);
});

test("a stream is read while the server sends it, and leaving it closes the connection", async () => {
  const { client, responses } = await start();
  server?.removeAllListeners("request");
  server?.on("request", (_, response) => {
    responses.push(response);
    response.writeHead(200, { "content-type": "application/octet-stream" }).write("first");
  });
  const { data } = await client.GET("/files/{name}", { ...PATH, parseAs: "stream" });
  const reader = data?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
  const closed = responses[0] && once(responses[0], "close");
  await reader?.cancel();
  await closed;
});

describe("a download that breaks", () => {
  test.each(["stream", "Blob"])("is continued: %s", async (kind) => {
    const { client, asked } = await start({ bytes: 4 }, { bytes: 2 }, { status: 503 });
    const attempts: ReconnectAttempt[] = [];
    const options = {
      ...PATH,
      reconnect: { ...QUICK, onReconnect: (attempt: ReconnectAttempt) => attempts.push(attempt) },
    };
    const text =
      kind === "Blob"
        ? await (await client.GET("/files/{name}", options)).data?.text()
        : await read((await client.GET("/files/{name}", { ...options, parseAs: "stream" })).data);
    expect(text).toBe(TEXT);
    expect(asked).toEqual([
      [undefined, undefined],
      ["bytes=4-", '"a"'],
      ["bytes=6-", '"a"'],
      ["bytes=6-", '"a"'],
    ]);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  });

  test("is continued by its date", async () => {
    const date = "Mon, 23 Nov 2026 12:00:00 GMT";
    const { client, asked } = await start({
      bytes: 4,
      headers: { "accept-ranges": "bytes", "last-modified": date },
    });
    expect(await (await client.GET("/files/{name}", PATH)).data?.text()).toBe(TEXT);
    expect(asked[1]).toEqual(["bytes=4-", date]);
  });

  const errors: Readonly<Record<string, readonly [connections: readonly Connection[], why: string]>> = {
    "other bytes": [[{ bytes: 4 }, { status: 200 }], "connecting again got 200 application/octet-stream"],
    "another range": [
      [{ bytes: 4 }, { headers: { "content-range": "bytes 0-9/10" } }],
      "connecting again got 206 application/octet-stream",
    ],
    "too many attempts": [
      [{ bytes: 4 }, ...Array.from({ length: 10 }, () => ({ bytes: 0 }))],
      "10 attempts to connect again failed",
    ],
    "no ranges": [[{ bytes: 4, headers: { etag: '"a"' } }], "the connection was closed"],
    "a weak ETag": [[{ bytes: 4, headers: { ...RANGES, etag: 'W/"a"' } }], "the connection was closed"],
  };
  test.each(Object.keys(errors))("is an error: %s", async (name) => {
    const [connections = [], why = ""] = errors[name] ?? [];
    const { client } = await start(...connections);
    const { data } = await client.GET("/files/{name}", { ...PATH, parseAs: "stream" });
    const error = await findError(read(data));
    expect(error).toBeInstanceOf(BrokenStreamError);
    expect(error).toMatchObject({ count: 4, message: `The stream of getFile broke after 4 bytes: ${why}` });
  });

  test("is an error without `reconnect`", async () => {
    const { client, asked } = await start({ bytes: 4 });
    const reading = client.GET("/files/{name}", { ...PATH, reconnect: false });
    expect(await findError(reading)).toMatchObject({ count: 4 });
    expect(asked).toHaveLength(1);
  });

  test.each(["signal", "cancel"])("is not continued after its end by %s", async (way) => {
    const { client, asked } = await start({ bytes: 4 });
    const leaving = new AbortController();
    let waiting: () => void = () => undefined;
    const broken = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const { data } = await client.GET("/files/{name}", {
      ...PATH,
      parseAs: "stream",
      signal: leaving.signal,
      reconnect: { delay: 1e9, maxDelay: 1e9, onReconnect: waiting },
    });
    const reader = data?.getReader();
    await reader?.read();
    const next = reader?.read().then(
      ({ done }) => done,
      (error: unknown) => (error as Error).name,
    );
    await broken;
    if (way === "signal") leaving.abort();
    else await reader?.cancel();
    expect(await next).toBe(way === "signal" ? "AbortError" : true);
    expect(asked).toHaveLength(1);
  });
});
