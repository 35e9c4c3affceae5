import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { sources } from "../../../fixtures/media-types/handlers.js";
import { send, sendRaw, type Answer } from "../../../support/http.js";
import { until } from "../../../support/until.js";
import { serve, type Served } from "./serve.js";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const get = (path: string, accept?: string, method = "GET"): Promise<Answer> =>
  send(served.port, `/v1${path}`, { method, headers: accept === undefined ? {} : { accept } });

describe("several media types under a status", () => {
  test.each([
    [undefined, "application/json", '[{"id":1,"name":"Rex"}]'],
    ["*/*", "application/json", '[{"id":1,"name":"Rex"}]'],
    ["text/csv", "text/csv; header=present; charset=utf-8", "id,name\r\n1,Rëx\r\n"],
    [
      "text/*;q=0.9, application/json;q=0.1",
      "text/csv; header=present; charset=utf-8",
      "id,name\r\n1,Rëx\r\n",
    ],
    ["application/vnd.pets.v2+json", "application/vnd.pets.v2+json", '[{"id":1,"name":"Rex"}]'],
  ])("Accept: %s is answered as %s", async (accept, contentType, text) => {
    const answer = await get("/pets", accept);
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers).toMatchObject({
      vary: "Accept",
      "content-type": contentType,
      "content-length": String(Buffer.byteLength(text)),
    });
  });

  test("406 lists the media types in JSON", async () => {
    const answer = await get("/pets", "image/png");
    expect(answer).toMatchObject({ status: 406, json: { code: "not_acceptable" } });
    expect(answer.headers).toMatchObject({ vary: "Accept", "content-type": "application/json" });
  });

  test("an error body is JSON whatever is accepted", async () => {
    const answer = await get("/pets?broken=x", "text/csv");
    expect(answer).toMatchObject({ status: 400, json: { code: "invalid_parameter" } });
    expect(answer.headers).toMatchObject({ vary: "Accept", "content-type": "application/json" });
  });

  test("a range of statuses has them too", async () => {
    const answer = await get("/pets?broken=true");
    expect(answer).toMatchObject({ status: 422, json: { code: "broken" } });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  });

  test("an operation with one has no Vary", async () => {
    expect((await get("/pets/photo")).headers).not.toHaveProperty("vary");
  });
});

describe("ranges", () => {
  test.each([
    [undefined, 200, "image/png"],
    ["image/webp", 200, "image/png"],
    ["text/html", 406, "application/json"],
  ])("Accept: %s is %i", async (accept, status, contentType) => {
    const answer = await get("/pets/photo", accept);
    expect([answer.status, answer.headers["content-type"]]).toEqual([status, contentType]);
  });

  test("take the media type that is sent", async () => {
    expect((await get("/pets/photo")).bytes).toEqual(Buffer.from([137, 80, 78, 71]));
    const text = await get("/pets/photo?as=text");
    expect(text).toMatchObject({ status: 203, text: "# Rex" });
    expect(text.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(await get("/pets/photo?as=json")).toMatchObject({ status: 418, text: '"a string is JSON too"' });
  });
});

describe("a reply that is not as declared", () => {
  test.each([
    ["/pets/photo?as=undeclared", "media type application/pdf is not declared"],
    ["/export?source=wrong", "the body must be a string"],
    ["/export?source=invalid", "the body must be bytes or a stream"],
  ])("%s is 500: %s", async (path, problem) => {
    expect(await get(path)).toMatchObject({ status: 500, json: { code: "internal_error" } });
    expect(served.responseProblems).toMatchObject([{ problems: [problem] }]);
  });
});

test("bytes under a range are sent as they are, where JSON is declared beside it too", async () => {
  expect(await get("/export?source=raw")).toMatchObject({ status: 200, text: "[ ]" });
});

describe("streams", () => {
  test("that may not be sent are closed", async () => {
    const source = new Readable({ read: () => undefined });
    sources.set("undeclared", () => source);
    expect(await get("/pets/photo?as=undeclared")).toMatchObject({ status: 500 });
    expect(source.destroyed).toBe(true);
  });

  test("are sent whole", async () => {
    sources.set("whole", () => Readable.from([Buffer.from("a"), Buffer.from("b")]));
    expect(await get("/export?source=whole")).toMatchObject({ status: 200, text: "ab" });
    expect(await get("/export?source=empty")).toMatchObject({ status: 200, text: "" });
  });

  test("go no faster than the client reads", async () => {
    let produced = 0;
    const chunk = Buffer.alloc(65_536);
    sources.set(
      "endless",
      () =>
        new Readable({
          read() {
            produced += chunk.length;
            this.push(chunk);
          },
        }),
    );
    const response = await open("/export?source=endless");
    // Until the buffers on the way are full: nothing is produced between two looks.
    let before = 0;
    await until(async () => {
      before = produced;
      await sleep(200);
      return (produced > 0 && produced === before) || produced >= 64_000_000;
    });
    expect(produced).toBeLessThan(64_000_000);
    response.destroy();
  });

  test("slow ones arrive as they come", async () => {
    let goOn: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (goOn = resolve));
    sources.set("slow", () =>
      Readable.from(
        (async function* () {
          yield Buffer.from("first");
          await arrived;
          yield Buffer.from("second");
        })(),
      ),
    );
    const response = await open("/export?source=slow");
    const chunks: string[] = [];
    for await (const chunk of response) {
      chunks.push(String(chunk));
      goOn();
    }
    expect(chunks).toEqual(["first", "second"]);
  });

  test("one that fails at once is a 500 without the reply's headers", async () => {
    sources.set(
      "failing",
      () =>
        new Readable({
          read() {
            this.destroy(new Error("disk 7 is gone"));
          },
        }),
    );
    const answer = await get("/export?source=failing");
    expect(answer).toMatchObject({ status: 500, json: { code: "internal_error" } });
    expect(answer.text).not.toContain("disk");
    expect(served.failures).toMatchObject([{ phase: "response", operation: { id: "exportPets" } }]);
  });

  test("one that had failed before is a 500 too", async () => {
    const failed = new Readable({ read: () => undefined });
    failed.on("error", () => undefined).destroy(new Error("disk"));
    await until(() => failed.closed);
    sources.set("failed", () => failed);
    expect(await get("/export?source=failed")).toMatchObject({ status: 500 });
  });

  test("one that fails later cuts the connection", async () => {
    sources.set("cut", () =>
      Readable.from(
        (async function* () {
          yield Buffer.from("half");
          await sleep(20);
          throw new Error("disk");
        })(),
      ),
    );
    const bytes = await sendRaw(served.port, "GET /v1/export?source=cut HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(bytes).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*half\r\n$/);
    expect(served.failures).toMatchObject([{ phase: "response", operation: { id: "exportPets" } }]);
  });

  test.each([
    ["before the first chunk", 0],
    ["half-way", 1],
  ])("a client that leaves %s closes the stream, and is no failure", async (_, chunks) => {
    let pushed = 0;
    const source = new Readable({
      read() {
        if (pushed++ < chunks) this.push(Buffer.from("x"));
      },
    });
    sources.set("left", () => source);
    const outgoing = request({ host: "127.0.0.1", port: served.port, path: "/v1/export?source=left" });
    outgoing.on("error", () => undefined).end();
    if (chunks > 0) await once(outgoing, "response");
    else await until(() => pushed > 0);
    outgoing.destroy();
    if (!source.closed) await once(source, "close");
    // Time for a failure that must not be reported.
    await sleep(20);
    expect(served.failures).toEqual([]);
  });

  test("HEAD sends no body and closes the stream", async () => {
    const source = new Readable({ read: () => undefined });
    sources.set("head", () => source);
    const answer = await get("/export?source=head", undefined, "HEAD");
    expect(answer).toMatchObject({ status: 200, text: "" });
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
    expect(source.destroyed).toBe(true);
  });

  test("HEAD of bytes has their length", async () => {
    const { text, headers } = await get("/pets/photo", undefined, "HEAD");
    expect([text, headers["content-length"]]).toEqual(["", "4"]);
  });
});

/** Opens a response without reading it. */
async function open(path: string): Promise<IncomingMessage> {
  const outgoing = request({ host: "127.0.0.1", port: served.port, path: `/v1${path}`, agent: false });
  outgoing.on("error", () => undefined).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return response.on("error", () => undefined);
}
