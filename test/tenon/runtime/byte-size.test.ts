import { once } from "node:events";
import { request } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { FormFile } from "../../../src/tenon/runtime/index.js";
import { send } from "../../support/http.js";
import { startThings } from "./service.js";

const LIMITED = { minLength: 3, maxLength: 5 };
const FILE_3_0 = { type: "string", format: "binary", ...LIMITED };
const FILE_3_1 = { contentMediaType: "image/png", ...LIMITED };

interface Given {
  readonly openapi?: string;
  readonly content: object;
  readonly options?: Readonly<Record<string, unknown>>;
}

let stop: () => Promise<void>;
afterEach(() => stop());

const isFile = (value: unknown): value is FormFile =>
  typeof value === "object" && value !== null && "bytes" in value;

/** Serves `POST /x`, which responds with the number of bytes that it got. */
async function start({ openapi = "3.1.0", content, options = {} }: Given): Promise<number> {
  const document = {
    openapi,
    info: { title: "Bytes", version: "1" },
    paths: {
      "/x": {
        post: {
          operationId: "postX",
          requestBody: { required: true, content },
          responses: { "200": { description: "ok", content: { "application/json": { schema: {} } } } },
        },
      },
    },
    components: { schemas: { Limited: LIMITED } },
  };
  const service = await startThings({
    document,
    handlers: {
      postX: async ({ body }, reply) => {
        if (Array.isArray(body))
          return reply[200]?.(body.map(({ value }: { value: FormFile }) => value.size));
        if (body instanceof Readable) return reply[200]?.((await buffer(body)).byteLength);
        const files: unknown[] = Object.values(body ?? {}).flat();
        return reply[200]?.(files.filter(isFile).map(({ size }) => size));
      },
    },
    options,
  });
  stop = () => service.stop();
  return service.port;
}

const bytes = (length: number) => Buffer.alloc(length, 255);
const invalid = (message: string) => ({ status: 400, json: { error: { code: "invalid_body", message } } });

describe("minLength and maxLength of a body of bytes", () => {
  const types = { "content-type": "application/octet-stream" };
  const post = (port: number, body: Buffer, headers: object = {}) =>
    send(port, "/x", { method: "POST", body, headers: { ...types, ...headers } });

  test.each([
    ["format: binary in 3.0", "3.0.3", FILE_3_0],
    ["contentMediaType in 3.1", "3.1.0", FILE_3_1],
    ["a schema without a type in 3.2", "3.2.0", LIMITED],
    ["references and allOf", "3.1.0", { allOf: [{ $ref: "#/components/schemas/Limited" }] }],
  ])("count bytes: %s", async (_, openapi, schema) => {
    const port = await start({ openapi, content: { "application/octet-stream": { schema } } });
    expect(await post(port, bytes(3))).toMatchObject({ status: 200, json: 3 });
    expect(await post(port, bytes(5))).toMatchObject({ status: 200, json: 5 });
    expect(await post(port, bytes(2))).toMatchObject(invalid("The body must not have fewer than 3 bytes"));
    expect(await post(port, bytes(6))).toMatchObject(invalid("The body must not have more than 5 bytes"));
  });

  test("count decompressed bytes", async () => {
    const port = await start({ content: { "application/octet-stream": { schema: LIMITED } } });
    const gzip = { "content-encoding": "gzip" };
    expect(await post(port, gzipSync(bytes(5)), gzip)).toMatchObject({ status: 200, json: 5 });
    expect(await post(port, gzipSync(bytes(6)), gzip)).toMatchObject(
      invalid("The body must not have more than 5 bytes"),
    );
    expect(await post(port, gzipSync(bytes(2)), gzip)).toMatchObject(
      invalid("The body must not have fewer than 3 bytes"),
    );
  });

  test("refuse a body before it has ended", async () => {
    const port = await start({ content: { "application/octet-stream": { schema: LIMITED } } });
    const sent = request({
      host: "127.0.0.1",
      port,
      path: "/x",
      method: "POST",
      headers: types,
      agent: false,
    });
    sent.on("error", () => undefined).write(bytes(6));
    const [response] = (await once(sent, "response")) as [{ statusCode: number }];
    expect(response.statusCode).toBe(400);
    sent.destroy();
  });

  test("leave a smaller limit of the service as it is", async () => {
    const content = { "application/octet-stream": { schema: { maxLength: 50 } } };
    const port = await start({ content, options: { streamLimit: 10 } });
    expect(await post(port, bytes(11))).toMatchObject({
      status: 413,
      json: { error: { code: "content_too_large" } },
    });
  });
});

describe("minLength and maxLength of files", () => {
  const post = (port: number, sizes: readonly number[], type = "form-data", name = "file") => {
    const head = type === "form-data" ? `Content-Disposition: form-data; name=${name}; filename=a\r\n` : "";
    const parts = sizes.flatMap((size) => [
      Buffer.from(`--b\r\n${head}Content-Type: image/png\r\n\r\n`),
      bytes(size),
      Buffer.from("\r\n"),
    ]);
    const headers = { "content-type": `multipart/${type}; boundary=b` };
    return send(port, "/x", {
      method: "POST",
      headers,
      body: Buffer.concat([...parts, Buffer.from("--b--\r\n")]),
    });
  };
  const form = (property: object) => ({
    "multipart/form-data": { schema: { type: "object", properties: { file: property } } },
  });

  test.each([
    ["in memory", FILE_3_0, "3.0.3", {}],
    ["on the disk", FILE_3_1, "3.1.0", { memoryLimit: 1 }],
    ["by reference", { $ref: "#/components/schemas/Limited" }, "3.1.0", { memoryLimit: 1 }],
  ])("count bytes: %s", async (_, property, openapi, options) => {
    const port = await start({ openapi, content: form(property), options });
    expect(await post(port, [3])).toMatchObject({ status: 200, json: [3] });
    expect(await post(port, [6])).toMatchObject(invalid('Field "file" must not have more than 5 bytes'));
    expect(await post(port, [2])).toMatchObject(invalid('Field "file" must not have fewer than 3 bytes'));
  });

  test("count those of each of several files", async () => {
    const port = await start({
      content: form({ type: "array", items: FILE_3_1 }),
      options: { memoryLimit: 1 },
    });
    expect(await post(port, [3, 5])).toMatchObject({ status: 200, json: [3, 5] });
    expect(await post(port, [3, 6])).toMatchObject(invalid('Field "file" must not have more than 5 bytes'));
  });

  test("of alternatives are validated, also on the disk", async () => {
    const property = { anyOf: [FILE_3_1, { type: "null" }] };
    const port = await start({ content: form(property), options: { memoryLimit: 1 } });
    expect(await post(port, [3])).toMatchObject({ status: 200 });
    expect(await post(port, [6])).toMatchObject({ status: 400, json: { error: { code: "invalid_body" } } });
  });

  test("count those of parts by position", async () => {
    const content = {
      "multipart/mixed": {
        schema: { type: "array", items: FILE_3_1 },
        itemEncoding: { contentType: "image/png" },
      },
    };
    const port = await start({ openapi: "3.2.0", content });
    expect(await post(port, [3, 5], "mixed")).toMatchObject({ status: 200, json: [3, 5] });
    expect(await post(port, [3, 6], "mixed")).toMatchObject(
      invalid("Part 2 must not have more than 5 bytes"),
    );
    expect(await post(port, [2], "mixed")).toMatchObject(invalid("Part 1 must not have fewer than 3 bytes"));
  });
});
