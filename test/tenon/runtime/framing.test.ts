import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { send, sendRaw } from "../../support/http.js";
import { until } from "../../support/until.js";
import { startThings, type Things } from "./service.js";

let things: Things;
beforeAll(async () => {
  things = await startThings();
});
afterAll(() => things.stop());

/** What must not be served when it comes after something that can be taken for its head or its body. */
const HIDDEN =
  "GET /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nConnection: close\r\n\r\n";
const CHUNKS = `0\r\n\r\n${HIDDEN}`;
const get = (headers: string) => `GET /v1/anyone HTTP/1.1\r\n${headers}\r\n\r\n${HIDDEN}`;
const post = (headers: string, body: string) =>
  `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const long = "a".repeat(20_000);

describe("a request that could be taken for two is refused, and so is what follows it", () => {
  test.each<[string, string]>([
    ["a length, then chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked", CHUNKS)],
    ["chunks, then a length", post("Transfer-Encoding: chunked\r\nContent-Length: 5", CHUNKS)],
    ["two lengths", post("Content-Length: 0\r\nContent-Length: 5", HIDDEN)],
    ["one length twice", post("Content-Length: 0\r\nContent-Length: 0", HIDDEN)],
    ["a list of lengths", post("Content-Length: 0, 0", HIDDEN)],
    ["a length with a sign", post("Content-Length: +0", HIDDEN)],
    ["a negative length", post("Content-Length: -1", HIDDEN)],
    ["a hexadecimal length", post("Content-Length: 0x0", HIDDEN)],
    ["an empty length", post("Content-Length: ", HIDDEN)],
    ["a length beyond 64 bits", post("Content-Length: 99999999999999999999999", HIDDEN)],
    ["a folded length", post("Content-Length: 0\r\n 5", HIDDEN)],
    ["chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", CHUNKS)],
    ["a coding that is not the last", post("Transfer-Encoding: chunked, identity", CHUNKS)],
    ["a coding below the chunks", post("Transfer-Encoding: gzip, chunked", CHUNKS)],
    ["identity below the chunks", post("Transfer-Encoding: identity, chunked", CHUNKS)],
    ["an unknown coding", post("Transfer-Encoding: xchunked", CHUNKS)],
    ["a coding in quotes", post('Transfer-Encoding: "chunked"', CHUNKS)],
    ["a coding after a vertical tab", post("Transfer-Encoding: \x0bchunked", CHUNKS)],
    ["a space before the colon", post("Transfer-Encoding : chunked", CHUNKS)],
    ["a folded coding", post("Transfer-Encoding:\r\n chunked", CHUNKS)],
    ["chunks in HTTP/1.0", post("Transfer-Encoding: chunked", CHUNKS).replace("HTTP/1.1", "HTTP/1.0")],
    ["a hexadecimal size of a chunk", post("Transfer-Encoding: chunked", `0x1\r\na\r\n${CHUNKS}`)],
    ["a negative size of a chunk", post("Transfer-Encoding: chunked", `-1\r\na\r\n${CHUNKS}`)],
    ["a size beyond 64 bits", post("Transfer-Encoding: chunked", `fffffffffffffffff\r\na\r\n${CHUNKS}`)],
    ["a space after the size", post("Transfer-Encoding: chunked", `1 \r\na\r\n${CHUNKS}`)],
    ["a chunk longer than it says", post("Transfer-Encoding: chunked", `1\r\nab\r\n${CHUNKS}`)],
    ["chunks with bare LF", post("Transfer-Encoding: chunked", `1\na\n0\n\n${HIDDEN}`)],
    ["a folded header", get("Host: x\r\nX-A: b\r\n c")],
    ["a space before the first header", get(" Host: x")],
    ["bare LF throughout", get("Host: x").replaceAll("\r\n", "\n")],
    ["one bare LF", get("Host: x\nX-A: b")],
    ["a bare LF at the end of the head", `GET /v1/anyone HTTP/1.1\r\nHost: x\r\n\n${HIDDEN}`],
    ["a bare CR", get("Host: x\r\nX-A: b\rX-B: c")],
    ["NUL in a header", get("Host: x\r\nX-A: b\0")],
    ["a header without a colon", get("Host: x\r\nabc")],
    ["two hosts", get("Host: x\r\nHost: y")],
    ["one host twice", get("Host: x\r\nhost: x")],
    ["no host", get("X-A: b")],
  ])("%s", async (_, bytes) => {
    things.handled.length = 0;
    const answer = await sendRaw(things.port, Buffer.from(bytes, "latin1"));
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(answer).toContain('"code":"malformed_request"');
    expect(things.handled).toEqual([]);
  });

  test.each<[string, string, number]>([
    ["extensions of a chunk", post("Transfer-Encoding: chunked", `1;a=${long}\r\na\r\n${CHUNKS}`), 413],
    ["one trailer", post("Transfer-Encoding: chunked", `0\r\nA: ${long}\r\n\r\n${HIDDEN}`), 431],
    ["trailers", post("Transfer-Encoding: chunked", `0\r\n${"A: b\r\n".repeat(9_000)}\r\n${HIDDEN}`), 431],
    ["headers", get(`Host: x\r\n${"A: b\r\n".repeat(200)}B: c`), 431],
    ["a header", get(`Host: x\r\nA: ${long}`), 431],
  ])("too much of %s", async (_, bytes, status) => {
    things.handled.length = 0;
    const answer = await sendRaw(things.port, bytes);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(things.handled).toEqual([]);
  });
});

describe("requests that are well-formed", () => {
  test.each<[string, string]>([
    [
      "chunks with an extension",
      post("Transfer-Encoding: chunked", `15;a=b\r\n{"name":"n","size":1}\r\n${CHUNKS}`),
    ],
    ["CHUNKED", post("Transfer-Encoding:\tCHUNKED", `15\r\n{"name":"n","size":1}\r\n${CHUNKS}`)],
    ["a hundred headers", get(`Host: x\r\n${"A: b\r\n".repeat(98)}B: c`)],
    ["empty lines before a request", `\r\n\r\n${get("Host: x")}`],
  ])("%s", async (_, bytes) => {
    things.handled.length = 0;
    const answer = await sendRaw(things.port, bytes);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([expect.stringMatching(/20[01]$/), "HTTP/1.1 200"]);
    expect(things.handled).toHaveLength(2);
  });

  test("a thousand requests in one write get responses in order", async () => {
    const requests = Array.from({ length: 1_000 }, (_, index) => {
      const close = index === 999 ? "Connection: close\r\n" : "";
      return `GET /v1/things?q=${index} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n${close}\r\n`;
    });
    const answer = await sendRaw(things.port, requests.join(""));
    expect([...answer.matchAll(/"q":"(\d+)"/g)].map(([, index]) => Number(index))).toEqual([
      ...requests.keys(),
    ]);
  });

  test("repeated batches of requests on one connection all get responses", async () => {
    const socket = connect(things.port, "127.0.0.1").setEncoding("latin1");
    let answer = "";
    socket.on("data", (text: string) => (answer += text));
    for (let round = 1; round <= 3; round++) {
      for (const count of [3, 1]) {
        answer = "";
        socket.write("GET /v1/anyone HTTP/1.1\r\nHost: x\r\n\r\n".repeat(count));
        await until(() => answer.match(/HTTP\/1\.1 200/g)?.length === count);
      }
    }
    socket.destroy();
  });

  test("are handed over one by one, those of a connection that ends not at all", async () => {
    const atWork: (() => void)[] = [];
    const slow = await startThings({
      handlers: {
        anyone: async (_, reply) => {
          await new Promise<void>((resolve) => atWork.push(resolve));
          return reply[200]?.({});
        },
      },
    });
    const socket = connect(slow.port, "127.0.0.1");
    try {
      socket.write("GET /v1/anyone HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500));
      await until(() => atWork.length > 0);
      // A request on another connection is handed over after those that had arrived before it.
      const other = { headers: { authorization: "Bearer good" } };
      await send(slow.port, "/v1/things", other);
      expect(atWork).toHaveLength(1);
      atWork[0]?.();
      await until(() => atWork.length > 1);
      socket.destroy();
      await send(slow.port, "/v1/things", other);
      atWork[1]?.();
      for (let requests = 0; requests < 3; requests++) await send(slow.port, "/v1/things", other);
      expect(atWork).toHaveLength(2);
    } finally {
      socket.destroy();
      await slow.stop();
    }
  });
});
