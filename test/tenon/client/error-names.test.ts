import { createServer } from "node:http";
import { describe, expect, test } from "@jest/globals";
import {
  BrokenStreamError,
  type ClientContract,
  type ClientOperation,
  ConnectionError,
  createBareContractClient,
  defineCall,
  readBytes,
  readItems,
  readParts,
  UndeclaredStatusError,
  UnreadableBodyError,
  writeContent,
  writeParts,
} from "../../../src/tenon/client/index.js";
import { close, listen } from "../../support/http.js";

const CONTRACT: ClientContract = {
  tenon: "0.1",
  securitySchemes: { key: { in: "header", name: "X-Key" } },
  security: [["key"]],
};
const FORM = "application/x-www-form-urlencoded";
const MIXED = "multipart/mixed";
const SAVE: ClientOperation = {
  id: "savePet",
  method: "put",
  path: "/pets/{petId}",
  responses: [200],
  mediaTypes: ["application/json", "image/*", FORM, MIXED, "application/jsonl"],
  parameters: { "query/tags": { style: "pipeDelimited", explode: false } },
  parts: { sent: { [MIXED]: { rest: { mediaTypes: ["image/png"] } } } },
  writeContent,
  writeParts,
};

type Options = Partial<Parameters<typeof createBareContractClient>[1]>;

/** Calls the operation, and resolves to the error. */
async function fail(
  more: Partial<ClientOperation>,
  init: object,
  options: Options = {},
): Promise<Error & { readonly operationId?: string }> {
  const client = createBareContractClient(CONTRACT, {
    baseUrl: "http://a.example",
    retry: false,
    ...options,
  });
  const call = defineCall({ ...SAVE, ...more }) as (client: object, init: object) => Promise<unknown>;
  const path = { petId: 1 };
  return call(client, { path, ...init }).then(
    async (result) => {
      const { data } = result as { readonly data: AsyncIterable<unknown> };
      return readAll(data);
    },
    (error: unknown) => error as Error,
  );
}

/** Reads items, and resolves to the error. */
async function readAll(data: AsyncIterable<unknown>): Promise<Error> {
  try {
    const items: unknown[] = [];
    for await (const item of data) items.push(item);
  } catch (error) {
    return error as Error;
  }
  throw new Error("No error was thrown");
}

function createCircle(): object {
  const circle: Record<string, unknown> = {};
  circle["parent"] = { circle };
  return circle;
}

describe("an error about a value names the operation and the place of the value:", () => {
  test.each<[string, object | (() => object), RegExp, Options?]>([
    ["a missing path parameter", { path: {} }, /path parameter "petId".*missing/],
    ["a path that changes", { path: { petId: ".." } }, /path parameter "petId"/],
    ["a value that its style cannot represent", { query: { tags: [{}] } }, /query parameter "tags"/],
    ["half of a character", { query: { name: "\uD800" } }, /query parameter "name".*surrogate/],
    ["a header", { header: { "X-Note": " a" } }, /header parameter "X-Note"/],
    ["another header", { headers: { "X-Note": "a\0" } }, /header/i],
    ["a header with a line break", { header: { "X-Note": "a\nb" } }, /header parameter "X-Note"/],
    ["a media type", { body: {}, mediaType: "text/csv" }, /body of text\/csv/],
    ["a range", { body: {}, mediaType: "image/*" }, /image\/\* is a range/],
    ["a bigint in JSON", () => ({ body: { owner: { age: 1n } } }), /the body.*"age".*BigInt/],
    ["a circle in JSON", () => ({ body: createCircle() }), /the body.*"circle"/],
    ["a field", { body: { photo: new Blob([]) }, mediaType: FORM }, /the field "photo"/],
    ["half of a character in a field", { body: { name: "\uD800" }, mediaType: FORM }, /the field "name"/],
    ["a part", { body: [7], mediaType: MIXED }, /Part 1 must be an object/],
    ["a credential", {}, /credential of "key"/, { apiKey: { username: "a", password: "b" } }],
    ["a credential with NUL", {}, /credential of "key"/, { apiKey: "a\0b" }],
    ["an invalid base URL", {}, /URL/i, { baseUrl: "nowhere" }],
  ])("%s", async (_, init, message, options = {}) => {
    const fetch = () => Promise.reject(new Error("It was sent"));
    const error = await fail({}, typeof init === "function" ? (init as () => object)() : init, {
      fetch,
      ...options,
    });
    expect(error).toMatchObject({ name: "TypeError" });
    expect(error.message).toMatch(/\bsavePet\b/);
    expect(error.message).toMatch(message);
  });

  test("an item of a stream", async () => {
    const body = (function* () {
      yield { id: 1 };
      yield undefined;
    })();
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        response.end();
      });
    });
    const baseUrl = `http://127.0.0.1:${await listen(server)}`;
    const error = await fail({}, { body, mediaType: "application/jsonl" }, { baseUrl });
    await close(server);
    expect(error.message).toMatch(/\bsavePet\b.*item 2 is not a JSON value/i);
  });
});

describe("an error about a response names the operation:", () => {
  const respond = (body: string | ReadableStream, contentType: string, status = 200): Options => ({
    fetch: () => Promise.resolve(new Response(body, { status, headers: { "Content-Type": contentType } })),
  });
  const lost = (text: string) => {
    let sent = false;
    return new ReadableStream({
      pull(controller) {
        if (sent) controller.error(new TypeError("terminated"));
        else controller.enqueue(new TextEncoder().encode(text));
        sent = true;
      },
    });
  };
  const events: Partial<ClientOperation> = {
    responses: [[200, "text/event-stream"]],
    items: { "text/event-stream": [{ json: true }] },
    readItems,
  };
  const mixed = { parts: { received: { [MIXED]: { rest: { mediaTypes: ["text/plain"] } } } }, readParts };
  const bytes = { responses: [[200, "image/png"]] as const, readBytes };

  test.each<[string, Partial<ClientOperation>, Options, new (...values: never) => Error, RegExp]>([
    ["an undeclared status", {}, respond("Oops", "text/html", 502), UndeclaredStatusError, /502.*Oops/],
    ["another media type", {}, respond("Oops", "text/html"), UnreadableBodyError, /text\/html/],
    ["invalid JSON", {}, respond("{", "application/json"), UnreadableBodyError, /not JSON/],
    ["a number", {}, respond("9007199254740993", "application/json"), UnreadableBodyError, /90071992547/],
    [
      "a large body",
      {},
      { ...respond('"abc"', "application/json"), maxBody: 2 },
      UnreadableBodyError,
      /maxBody/,
    ],
    [
      "a broken stream",
      events,
      respond(lost('data: {"a":1}\n\n'), "text/event-stream"),
      BrokenStreamError,
      /after 1 items/,
    ],
    [
      "broken parts",
      { ...mixed, responses: [[200, MIXED]] },
      respond("--a\r\n\r\nb", `${MIXED}; boundary=a`),
      BrokenStreamError,
      /after 0 items/,
    ],
    ["broken bytes", bytes, respond(lost("abc"), "image/png"), BrokenStreamError, /after 3 bytes/],
    ["a broken body", {}, respond(lost("{"), "application/json"), ConnectionError, /terminated/],
    [
      "no response",
      {},
      { fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNRESET") })) },
      ConnectionError,
      /fetch failed \(ECONNRESET\)/,
    ],
  ])("%s", async (_, more, options, type, message) => {
    const error = await fail(more, {}, options);
    expect(error).toBeInstanceOf(type);
    expect(error.operationId).toBe("savePet");
    expect(error.message).toMatch(/\bsavePet\b/);
    expect(error.message).toMatch(message);
  });

  test("a port where nothing listens", async () => {
    const server = createServer();
    const baseUrl = `http://127.0.0.1:${await listen(server)}`;
    await close(server);
    const error = await fail({}, {}, { baseUrl });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(/^savePet got no complete response: .*ECONNREFUSED/);
    expect((error.cause as Error).message).toBe("fetch failed");
  });

  test("other errors of one's own fetch stay as they are", async () => {
    const own = new RangeError("Not today");
    expect(await fail({}, {}, { fetch: () => Promise.reject(own) })).toBe(own);
  });
});
