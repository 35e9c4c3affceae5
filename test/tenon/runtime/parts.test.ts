import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { type Failure, createHttpServer } from "../../../src/tenon/runtime/index.js";
import { BrokenStreamError } from "../../../src/tenon/client/index.js";
import { createClient } from "../../fixtures/parts/generated/client.js";
import { createApi, type Handlers } from "../../fixtures/parts/generated/server.js";
import { createDirectory } from "../../support/directory.js";
import { close, listen, send } from "../../support/http.js";
import { until } from "../../support/until.js";

const PNG = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0x0d, 0x0a, 0x2d, 0x2d,
]);

type All = Handlers<object, object>;

let server: ReturnType<typeof createHttpServer>;
let port = 0;
let failures: Failure[] = [];
afterEach(() => close(server));

const defaults: All = {
  addReport: ({ body: [report, picture] }, reply) =>
    reply[200]([report, { ...picture, value: picture.value.bytes }]),
  listPictures: (_, reply) => reply[200]([]),
  async addPictures({ body }, reply) {
    const pictures: { name: string; number?: number; size: number; mediaType: string }[] = [];
    for await (const { value, mediaType, headers } of body)
      pictures.push({
        name: headers["X-Name"],
        ...(headers["X-Number"] !== undefined && { number: headers["X-Number"] }),
        size: value.bytes.byteLength,
        mediaType,
      });
    return reply[200](pictures);
  },
  putPage: (_, reply) => reply[204](),
  addBatch: ({ body: [numbers, inner, flag] }, reply) =>
    reply[200]([
      { value: { title: `${inner.value[0].value} ${inner.value[1].value.size} ${flag.value}` } },
      ...numbers.value.map((number) => ({ value: { title: String(number) } })),
    ]),
};

async function start(own: Partial<All> = {}, options: object = {}) {
  failures = [];
  const errors = {
    errorBody: ({ code, message }: { readonly code: string; readonly message: string }) => ({
      code,
      message,
    }),
    onFailure: (failure: Failure) => void failures.push(failure),
  };
  const app = express();
  app.use(createApi({ handlers: { ...defaults, ...own }, ...errors, ...options }));
  server = createHttpServer(app, errors);
  port = await listen(server);
  return createClient({ baseUrl: `http://127.0.0.1:${port}/v1` });
}

const post = (path: string, type: string, ...parts: readonly string[]) =>
  send(port, `/v1/${path}`, {
    method: path === "pages" ? "PUT" : "POST",
    headers: { "content-type": `${type}; boundary=b` },
    body: `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`,
  });

const JSON_PART = "Content-Type: application/json\r\n\r\n";

describe("parts by position", () => {
  test("are a typed list, in and out, with their media types and defaults", async () => {
    const client = await start();
    const { data, error } = await client.addReport({
      body: [{ value: { title: "Nest" } }, { value: PNG, mediaType: "image/png" }, { value: 7 }],
    });
    if (error) throw new Error(error.message);
    const [report, picture] = data;
    expect(report).toEqual({ value: { title: "Nest", stars: 3 }, mediaType: "application/json" });
    expect(picture.mediaType).toBe("image/png");
    expect(new Uint8Array(await picture.value.arrayBuffer())).toEqual(PNG);
  });

  test.each([
    ["too few", [`${JSON_PART}{"title":"a"}`], 400, "The body must not have fewer than 2 items"],
    [
      "an invalid value",
      [`${JSON_PART}{"title":""}`, "Content-Type: image/png\r\n\r\nx"],
      400,
      'Part 1, field "title"',
    ],
    [
      "malformed JSON",
      [`${JSON_PART}{"title":`, "Content-Type: image/png\r\n\r\nx"],
      400,
      "Part 1 is not JSON",
    ],
    [
      "another media type",
      [`${JSON_PART}{"title":"a"}`, "Content-Type: image/gif\r\n\r\nx"],
      415,
      "Part 2 must be image/png or image/jpeg",
    ],
    [
      "a value of another type",
      [`${JSON_PART}{"title":"a"}`, "Content-Type: image/png\r\n\r\nx", "\r\nseven"],
      400,
      "Part 3",
    ],
    [
      "the wrong order",
      ["Content-Type: image/png\r\n\r\nx", `${JSON_PART}{"title":"a"}`],
      415,
      "Part 1 must be application/json",
    ],
    [
      "an encoding",
      [`Content-Transfer-Encoding: base64\r\n${JSON_PART}e30=`],
      415,
      "Part 1 must not have a Content-Transfer-Encoding",
    ],
  ])("refuses a list with %s", async (_, parts, status, message) => {
    await start();
    const { json } = await post("reports", "multipart/mixed", ...parts);
    expect(json).toMatchObject({ message: expect.stringContaining(message) });
    expect((await post("reports", "multipart/mixed", ...parts)).status).toBe(status);
  });

  test("refuses a body that is not whole, or has no boundary", async () => {
    await start();
    const headers = { "content-type": "multipart/mixed; boundary=b" };
    const half = await send(port, "/v1/reports", { method: "POST", headers, body: `--b\r\n${JSON_PART}{}` });
    expect(half.json).toEqual({
      code: "malformed_request",
      message: "The body is not a whole multipart body",
    });
    const without = await send(port, "/v1/reports", {
      method: "POST",
      headers: { "content-type": "multipart/mixed" },
      body: "",
    });
    expect(without.status).toBe(400);
  });

  test("that a reply lacks or has wrong are a failure", async () => {
    const client = await start({
      addReport: (_, reply) => reply[200]([{ value: { title: "" } }, { value: PNG, mediaType: "image/png" }]),
    });
    const { status } = await client.addReport({
      body: [{ value: { title: "Nest" } }, { value: PNG, mediaType: "image/png" }],
    });
    expect(status).toBe(500);
    expect(failures.map(({ error }) => String(error))).toEqual([
      expect.stringContaining('The response of "addReport" is not as declared: /0/value/title'),
    ]);
  });

  test("have declared headers, and texts or bytes by their media type", async () => {
    const pages: unknown[] = [];
    const client = await start({
      putPage: ({ body }, reply) => {
        pages.push(body.map(({ value, ...rest }) => [typeof value === "string" ? value : value.size, rest]));
        return reply[204]();
      },
    });
    const at = (name: string) => ({ "Content-Location": `https://pets.example/${name}` });
    const { status } = await client.putPage({
      body: [
        { value: "<p>Ä", headers: at("") },
        { value: "p{}", mediaType: "text/css", headers: at("a.css") },
        { value: PNG, mediaType: "image/png", headers: at("a.png") },
      ],
    });
    expect(status).toBe(204);
    expect(pages).toEqual([
      [
        ["<p>Ä", { mediaType: "text/html", headers: at("") }],
        ["p{}", { mediaType: "text/css", headers: at("a.css") }],
        [PNG.byteLength, { mediaType: "image/png", headers: at("a.png") }],
      ],
    ]);
    const page = "Content-Type: text/html\r\n\r\n<p>";
    const missing = await post("pages", "multipart/related; type=text/html", page);
    expect(missing.json).toMatchObject({ message: expect.stringContaining("Part 1") });
    const id = `Content-ID: <a>\r\nContent-Location: https://a/\r\n${page}`;
    expect((await post("pages", "multipart/related; type=text/html", id)).json).toMatchObject({
      message: expect.stringContaining('Part 1, header "Content-ID"'),
    });
  });

  test("may have parts themselves", async () => {
    const client = await start();
    const { data, error } = await client.addBatch({
      body: [{ value: [1, 2] }, { value: [{ value: "Ann" }, { value: PNG }] }, { value: true }],
    });
    if (error) throw new Error(error.message);
    const titles: string[] = [];
    for await (const { value } of data) titles.push(value.title);
    expect(titles).toEqual([`Ann ${PNG.byteLength} true`, "1", "2"]);
    const inner = `Content-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\nlonger than ten\r\n--i\r\nContent-Type: image/png\r\n\r\nx\r\n--i--`;
    const refused = await post("batches", "multipart/mixed", `${JSON_PART}[]`, inner, "\r\ntrue");
    expect(refused.json).toMatchObject({ message: expect.stringContaining("Part 2") });
  });
});

describe("a stream of parts", () => {
  test("arrives part by part: the first is read before the second is made", async () => {
    const read: string[] = [];
    let sendSecond: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (sendSecond = resolve));
    const client = await start({
      async addPictures({ body }, reply) {
        for await (const { headers } of body) {
          read.push(headers["X-Name"]);
          sendSecond();
        }
        return reply[200]([]);
      },
    });
    async function* make() {
      yield { value: PNG, mediaType: "image/png" as const, headers: { "X-Name": "one" } };
      await first;
      yield { value: new Blob([PNG]), mediaType: "image/jpeg" as const, headers: { "X-Name": "two" } };
    }
    expect((await client.addPictures({ body: make() })).status).toBe(200);
    expect(read).toEqual(["one", "two"]);
  });

  test("has typed headers, and names the part that is invalid", async () => {
    const client = await start();
    const { data } = await client.addPictures({
      body: [{ value: PNG, mediaType: "image/png", headers: { "X-Name": "one", "X-Number": 7 } }],
    });
    expect(data).toEqual([{ name: "one", number: 7, size: PNG.byteLength, mediaType: "image/png" }]);
    const part = (name: string) => `Content-Type: image/png\r\nX-Name: ${name}\r\n\r\nx`;
    const { json } = await post("pictures", "multipart/mixed", part("one"), part("TWO"));
    expect(json).toMatchObject({ message: expect.stringContaining('Part 2, field "headers/X-Name"') });
    expect((await post("pictures", "multipart/mixed")).json).toEqual([]);
  });

  test("keeps large parts on the disk until the next one", async () => {
    const folder = createDirectory();
    const counts: number[] = [];
    const client = await start(
      {
        async addPictures({ body }, reply) {
          let size = 0;
          for await (const { value } of body) {
            const [own = ""] = readdirSync(folder);
            counts.push(readdirSync(`${folder}/${own}`).length);
            for await (const chunk of value.stream() as AsyncIterable<Buffer>) size += chunk.byteLength;
          }
          return reply[200]([{ name: "all", size }]);
        },
      },
      { memoryLimit: 1_000, fileLimit: 100_000, streamLimit: Infinity, temporaryFolder: folder },
    );
    const picture = {
      value: new Uint8Array(90_000),
      mediaType: "image/png" as const,
      headers: { "X-Name": "a" },
    };
    const { data } = await client.addPictures({ body: [picture, picture, picture] });
    expect(data).toEqual([{ name: "all", size: 270_000 }]);
    expect(counts).toEqual([1, 1, 1]);
    await until(() => readdirSync(folder).length === 0);
    const large = await client.addPictures({ body: [{ ...picture, value: new Uint8Array(100_001) }] });
    expect(large.error).toMatchObject({ code: "content_too_large" });
  });

  test("leaves part by part: a client has the first before the second is made", async () => {
    let makeSecond: () => void = () => undefined;
    const second = new Promise<void>((resolve) => (makeSecond = resolve));
    const client = await start({
      listPictures: (_, reply) =>
        reply[200](async function* () {
          yield { value: PNG, mediaType: "image/png", headers: { "X-Name": "one" } };
          await second;
          yield { value: PNG, mediaType: "image/png", headers: { "X-Name": "two", "X-Number": 2 } };
        }),
    });
    const { data, error } = await client.listPictures();
    if (error) throw new Error(error.message);
    const found: unknown[] = [];
    for await (const { value, headers, mediaType } of data) {
      found.push([mediaType, headers, new Uint8Array(await value.arrayBuffer())]);
      makeSecond();
    }
    expect(found).toEqual([
      ["image/png", { "X-Name": "one" }, PNG],
      ["image/png", { "X-Name": "two", "X-Number": 2 }, PNG],
    ]);
  });

  test("breaks after an invalid part, and the client does not take it for complete", async () => {
    const client = await start({
      listPictures: (_, reply) =>
        reply[200](async function* () {
          yield { value: PNG, mediaType: "image/png", headers: { "X-Name": "one" } };
          await new Promise(setImmediate);
          yield { value: PNG, mediaType: "image/png", headers: { "X-Name": "TWO" } };
        }),
    });
    const { data, error } = await client.listPictures();
    if (error) throw new Error(error.message);
    const names: string[] = [];
    const reading = (async () => {
      for await (const { headers } of data) names.push(headers["X-Name"]);
    })();
    await expect(reading).rejects.toBeInstanceOf(BrokenStreamError);
    expect(names).toEqual(["one"]);
    expect(failures.map(({ error: thrown }) => String(thrown))).toEqual([
      expect.stringContaining('Item 1 of the response of "listPictures"'),
    ]);
  });

  test("ends the handler's loop when the caller leaves", async () => {
    let thrown: unknown;
    let isCalled = false;
    await start({
      async addPictures({ body }) {
        isCalled = true;
        try {
          for await (const { value } of body) expect(value).toBeDefined();
        } catch (error) {
          thrown = error;
        }
        throw thrown;
      },
    });
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(
      "POST /v1/pictures HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Length: 999\r\n\r\n" +
        "--b\r\nContent-Type: image/png\r\nX-Name: one\r\n\r\nx",
    );
    await until(() => isCalled);
    socket.destroy();
    await until(() => thrown !== undefined);
    expect(String(thrown)).toContain("not as long as announced");
  });
});
