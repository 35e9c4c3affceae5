import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type ReplyHeaders, sendWhole } from "../../../src/tenon/runtime/http/send-whole.js";
import { respond } from "../../../src/tenon/runtime/response/respond.js";
import { close, listen, send, sendRaw } from "../../support/http.js";
import { until } from "../../support/until.js";

interface Case {
  readonly status?: number;
  readonly headers?: ReplyHeaders;
  readonly mediaType?: string;
  readonly body?: string;
  /** What happens to the response before. */
  readonly before?: (response: ServerResponse, request: IncomingMessage) => void;
}

interface Sent {
  /** What came over the wire, with its date hidden. */
  readonly bytes: string;
  /** What happened to the response, and what was seen of it then. */
  readonly seen: readonly unknown[];
  readonly isWhole: boolean;
}

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
// The second ends the connection.
const LAST = "GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

let server: Server | undefined;

afterEach(async () => {
  if (server !== undefined) await close(server);
  server = undefined;
});

/** Sends an answer to `request`, in one write where it may be, or as Node does. */
async function answer(
  { status = 200, headers = {}, mediaType = "application/json", body = "[]", before }: Case,
  { way, request = GET }: { readonly way: "whole" | "node"; readonly request?: string },
): Promise<Sent> {
  const seen: unknown[] = [];
  let isWhole = false;
  const current = createServer({ keepAliveTimeout: 5_000 }, (incoming, response) => {
    if (incoming.url === "/last") {
      response.sendDate = false;
      response.end();
      return;
    }
    for (const event of ["prefinish", "finish", "close"])
      response.on(event, () => {
        const { headersSent, writableEnded, writableFinished, statusCode, statusMessage } = response;
        seen.push({ event, headersSent, writableEnded, writableFinished, statusCode, statusMessage });
      });
    response.on("close", () => {
      setImmediate(() => {
        seen.push([incoming.readableEnded, incoming.complete], {
          ...response.getHeaders(),
        });
      });
    });
    before?.(response, incoming);
    const content = { mediaType, kind: "text", body } as const;
    // With a method of its own the response is Node's to send.
    if (way === "node") response.end = response.end.bind(response);
    isWhole = way === "whole" && sendWhole(response, { status, headers, mediaType }, body);
    if (!isWhole) respond(response, { status, headers, content });
    seen.push({ ended: response.writableEnded, sent: response.headersSent });
  });
  const port = await listen(current);
  const bytes = await sendRaw(port, request + LAST);
  await close(current);
  return { bytes: bytes.replace(/^Date: .*$/m, "Date: hidden"), seen, isWhole };
}

const text = fc.oneof(fc.string(), fc.constantFrom("größe 🐈", "a\nb", "", "\ud800", "\u0000"));
const ascii = fc.string({
  unit: fc.constantFrom("a", "Z", "0", " ", ",", ";", "=", '"', "<", "/", "\t"),
  maxLength: 30,
});

describe("a response in one write", () => {
  test("is in its bytes, events and what is seen afterwards what Node sends", async () => {
    const names = ["X-One", "x-two", "Link", "Cache-Control", "ETag"];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(200, 201, 206, 400, 401, 404, 409, 500, 503),
        fc.dictionary(fc.constantFrom(...names), fc.oneof(ascii, fc.integer())),
        fc.dictionary(fc.constantFrom("X-Request-Id", "Deprecation"), ascii),
        fc.oneof(text, fc.string({ minLength: 1_000, maxLength: 100_000 })),
        async (status, headers, preset, body) => {
          const given: Case = {
            status,
            headers,
            mediaType: "text/plain; charset=utf-8",
            body,
            before: (response) => {
              for (const [name, value] of Object.entries(preset)) response.setHeader(name, value);
            },
          };
          const [whole, node] = [await answer(given, { way: "whole" }), await answer(given, { way: "node" })];
          expect(whole.isWhole).toBe(true);
          expect(whole.bytes).toBe(node.bytes);
          expect(whole.seen).toEqual(node.seen);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each<[string, Case, string?]>([
    ["HEAD", {}, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["204", { status: 204, body: "" }],
    ["304", { status: 304, body: "" }],
    ["a status without a name", { status: 299 }],
    ["HTTP/1.0", {}, "GET / HTTP/1.0\r\n\r\n"],
    ["a caller that closes", {}, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"],
    ["a service that closes", { before: (response) => response.setHeader("Connection", "close") }],
    ["cookies", { before: (response) => response.setHeader("Set-Cookie", ["a=1", "b=2"]) }],
    ["several values", { headers: { "X-Many": ["a", "b"] } }],
    [
      "a header that is there already",
      { headers: { "x-one": "2" }, before: (response) => response.setHeader("X-One", "1") },
    ],
    [
      "Link that is added to",
      { headers: { Link: "<2>" }, before: (response) => response.setHeader("Link", "<1>") },
    ],
    ["text beyond ASCII in a header", { headers: { "X-One": "gr\u00f6\u00dfe" } }],
    [
      "text beyond ASCII in a header that was set",
      { before: (response) => response.setHeader("X-One", "\u00e9") },
    ],
    [
      "a reason of its own",
      {
        before: (response) => {
          response.statusMessage = "Fine";
        },
      },
    ],
    [
      "no date",
      {
        before: (response) => {
          response.sendDate = false;
        },
      },
    ],
    ["a date of its own", { headers: { Date: "Thu, 01 Jan 1970 00:00:00 GMT" } }],
    ["a length of its own", { headers: { "Content-Length": "2" } }],
    ["a media type that is set", { before: (response) => response.setHeader("Content-Type", "text/html") }],
    [
      "no Keep-Alive",
      {
        before: (response) => {
          response.removeHeader("Connection");
        },
      },
    ],
    ["a file's name", { headers: { "Content-Disposition": 'attachment; filename="a.json"' } }],
    [
      "an end of another's",
      {
        before: (response) => {
          response.end = response.end.bind(response);
        },
      },
    ],
    [
      "a head of another's",
      {
        before: (response) => {
          const writeHead = response.writeHead.bind<(status: number) => ServerResponse>(response);
          response.writeHead = (status: number) => {
            response.setHeader("X-Late", "1");
            return writeHead(status);
          };
        },
      },
    ],
  ])("is Node's to send: %s", async (_, given, request = GET) => {
    const [whole, node] = [
      await answer(given, { way: "whole", request }),
      await answer(given, { way: "node", request }),
    ];
    expect(whole.isWhole).toBe(false);
    expect(whole.bytes).toBe(node.bytes);
    expect(whole.seen).toEqual(node.seen);
  });

  test("a name or value that HTTP does not allow is refused as Node does, and nothing is sent", async () => {
    const refusals: unknown[] = [];
    server = createServer((_, response) => {
      for (const headers of [
        { "X One": "1" },
        { "X-One": "a\r\nX-Two: 2" },
        { "X-One": "\u0000" },
        { "X-One": "🐈" },
      ]) {
        expect(sendWhole(response, { status: 200, headers, mediaType: "text/plain" }, "x")).toBe(false);
        try {
          respond(response, {
            status: 200,
            headers,
            content: { mediaType: "text/plain", kind: "text", body: "x" },
          });
        } catch (error) {
          refusals.push((error as NodeJS.ErrnoException).code);
        }
      }
      response.removeHeader("X-One");
      response.setHeader("Content-Type", "text/plain");
      response.end("end");
    });
    expect(await send(await listen(server), "/")).toMatchObject({ status: 200, text: "end" });
    expect(refusals).toEqual([
      "ERR_INVALID_HTTP_TOKEN",
      "ERR_INVALID_CHAR",
      "ERR_INVALID_CHAR",
      "ERR_INVALID_CHAR",
    ]);
  });

  test("queued requests on a connection get responses in order", async () => {
    const ways: boolean[] = [];
    server = createServer((request, response) => {
      const body = `answer ${request.url ?? ""};`;
      const reply = () => {
        const isWhole = sendWhole(response, { status: 200, headers: {}, mediaType: "text/plain" }, body);
        ways.push(isWhole);
        if (!isWhole) response.end(body);
      };
      // The first takes longest.
      setTimeout(reply, request.url === "/1" ? 50 : 0);
    });
    const port = await listen(server);
    const requests = ["/1", "/2", "/3"].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const got = await sendRaw(
      port,
      requests.join("") + "GET /4 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(got.match(/answer \/\d;/g)).toEqual(["answer /1;", "answer /2;", "answer /3;", "answer /4;"]);
    // The last ends the connection.
    expect(ways).toEqual([true, true, false, true]);
  });

  test("an unread body is discarded before the next request on the connection", async () => {
    server = createServer((request, response) => {
      const body = `answer ${request.url ?? ""};`;
      expect(
        sendWhole(response, { status: 200, headers: {}, mediaType: "text/plain" }, body) ||
          response.end(body),
      ).toBeTruthy();
    });
    const port = await listen(server);
    const long = "x".repeat(300_000);
    const got = await sendRaw(
      port,
      `POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${long.length}\r\n\r\n${long}` +
        `POST /2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nok` +
        `GET /3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(got.match(/answer \/\d;/g)).toEqual(["answer /1;", "answer /2;", "answer /3;"]);
  });

  test("a body that is read at once ends, and the next request on the connection is served", async () => {
    const states: unknown[] = [];
    server = createServer((request, response) => {
      setImmediate(() => {
        const body = `${String(request.read() ?? "nothing")};`;
        if (!sendWhole(response, { status: 200, headers: {}, mediaType: "text/plain" }, body))
          response.end(body);
        response.on("close", () => {
          setImmediate(() => states.push([request.readableEnded, request.complete, request.readableLength]));
        });
      });
    });
    const port = await listen(server);
    const post = (body: string) =>
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const got = await sendRaw(port, post("one") + post("two") + LAST);
    expect(got.match(/\w+;/g)).toEqual(["one;", "two;", "nothing;"]);
    expect(states.slice(0, 2)).toEqual([
      [true, true, 0],
      [true, true, 0],
    ]);
  });

  test("a caller who listens for the end of the request hears of it", async () => {
    const heard: string[] = [];
    server = createServer((request, response) => {
      request.on("end", () => heard.push("end"));
      request.on("close", () => heard.push("close"));
      expect(sendWhole(response, { status: 200, headers: {}, mediaType: "text/plain" }, "x")).toBe(true);
    });
    await (await fetch(`http://127.0.0.1:${await listen(server)}`)).text();
    await until(() => heard.length > 1);
    expect(heard).toEqual(["end", "close"]);
  });

  test("a long response to a slow client finishes when it is read; after a disconnect it ends as with Node", async () => {
    const body = "x".repeat(8_000_000);
    const seen: string[] = [];
    let refused = 0;
    server = createServer((request, response) => {
      response.on("finish", () => seen.push("finish"));
      response.on("close", () => seen.push(`close ${String(response.writableFinished)}`));
      if (request.url === "/node") response.end(body);
      else
        refused += sendWhole(response, { status: 200, headers: {}, mediaType: "text/plain" }, body) ? 0 : 1;
      seen.push(`sent ${String(response.writableFinished)}`);
    });
    const port = await listen(server);
    const slow = connect(port, "127.0.0.1");
    slow.pause();
    slow.write(GET);
    await until(() => seen.length > 0);
    // Time for an end that must not come.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen).toEqual(["sent false"]);
    let got = 0;
    slow.on("data", (chunk) => {
      got += chunk.length;
      if (got > body.length) slow.end();
    });
    slow.resume();
    await new Promise((resolve) => slow.on("close", resolve));
    expect(seen).toEqual(["sent false", "finish", "close true"]);

    const left: string[][] = [];
    for (const path of ["/whole", "/node"]) {
      seen.length = 0;
      const leaving = connect(port, "127.0.0.1");
      leaving.pause();
      leaving.write(GET.replace("/", path));
      await until(() => seen.length > 0);
      leaving.resetAndDestroy();
      await until(() => seen.some((event) => event.startsWith("close")));
      left.push([...seen]);
    }
    expect(left[0]).toEqual(left[1]);
    expect(refused).toBe(0);
  });
});
