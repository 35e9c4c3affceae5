import { request } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { send, type Answer } from "../../../support/http.js";
import { serve, type Served } from "./serve.js";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

const BOUNDARY = "--------x7";
const END = `--${BOUNDARY}--\r\n`;

interface PartOptions {
  readonly filename?: string;
  readonly type?: string;
  readonly more?: string;
}

function part(name: string, value: string | Buffer, { filename, type, more = "" }: PartOptions = {}): Buffer {
  const file = filename === undefined ? "" : `; filename="${filename}"`;
  const contentType = type === undefined ? "" : `Content-Type: ${type}\r\n`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${contentType}${more}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from("\r\n")]);
}

const PHOTO = part("photo", Buffer.from([137, 80, 0, 255]), { filename: "rex.png", type: "image/png" });

function upload(
  parts: readonly (Buffer | string)[],
  contentType = `multipart/form-data; boundary=${BOUNDARY}`,
): Promise<Answer> {
  const body = Buffer.concat(parts.map((item) => Buffer.from(item)));
  return send(served.port, "/v1/pets/photo", {
    method: "POST",
    headers: { "content-type": contentType },
    body,
  });
}

const WHOLE = "The body is not a whole multipart form";
const NOTE = 'Content-Disposition: form-data; name="note"';

describe("a multipart form", () => {
  test("has values of the declared types, files with their name and media type, and defaults", async () => {
    const answer = await upload([
      part("petId", "7"),
      part("owner", '{"name":"O"}', { filename: "blob", type: "application/json" }),
      PHOTO,
      part("cover", "x".repeat(5_000), { filename: "../../etc/c.webp", type: "image/webp; q=1" }),
      part("papers", "1", { filename: "a.pdf", type: "application/pdf" }),
      part("papers", "22", { filename: "b.pdf", type: "application/pdf" }),
      END,
    ]);
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.json).toEqual({
      petId: 7,
      note: "none",
      owner: { name: "O" },
      photo: { filename: "rex.png", mediaType: "image/png", size: 4 },
      cover: { filename: "c.webp", mediaType: "image/webp", size: 5_000 },
      papers: [
        { filename: "a.pdf", mediaType: "application/pdf", size: 1 },
        { filename: "b.pdf", mediaType: "application/pdf", size: 2 },
      ],
    });
  });

  test("may be absent where it is optional", async () => {
    expect(await send(served.port, "/v1/pets/photo", { method: "POST" })).toMatchObject({
      status: 201,
      json: {},
    });
  });

  test("is what fetch sends", async () => {
    const form = new FormData();
    form.append("photo", new Blob([Buffer.from([1, 2])], { type: "image/jpeg" }), 'ü".jpg');
    form.append("note", "é\r\né");
    const response = await fetch(`http://127.0.0.1:${served.port}/v1/pets/photo`, {
      method: "POST",
      body: form,
    });
    expect(await response.json()).toMatchObject({
      note: "é\r\né",
      photo: { mediaType: "image/jpeg", size: 2 },
    });
  });

  test("an empty file input is not a file", async () => {
    const empty = part("cover", "", { filename: "", type: "application/octet-stream" });
    const answer = await upload([PHOTO, empty, END]);
    expect(answer.status).toBe(201);
    expect(answer.json).not.toHaveProperty("cover");
  });

  test("members of Object.prototype are names like any other", async () => {
    const answer = await upload([PHOTO, part("__proto__", "x"), part("constructor", "y"), END]);
    expect(answer).toMatchObject({ status: 201, json: { constructor: "y" } });
  });

  test.each<[string, (Buffer | string)[], number, string]>([
    ["a required file that is missing", [part("petId", "7"), END], 400, 'Field "photo" is required'],
    [
      "a number that is none",
      [PHOTO, part("petId", "0x7"), END],
      400,
      'Field "petId" must be an integer in plain decimal digits',
    ],
    ["a number out of range", [PHOTO, part("petId", "0"), END], 400, 'Field "petId" must be at least 1'],
    [
      "a scalar twice",
      [PHOTO, part("petId", "1"), part("petId", "2"), END],
      400,
      'Field "petId" must be an integer in plain decimal digits, and only once',
    ],
    ["a file twice", [PHOTO, PHOTO, END], 400, 'Field "photo" must be a file, and only once'],
    [
      "a long text",
      [PHOTO, part("note", "x".repeat(11)), END],
      400,
      'Field "note" must not have more than 10 characters',
    ],
    ["JSON that is none", [PHOTO, part("owner", "{"), END], 400, 'Field "owner" '],
    ["JSON of another shape", [PHOTO, part("owner", "{}"), END], 400, 'Field "owner[name]" is required'],
    [
      "too many items",
      [PHOTO, part("papers", "1"), part("papers", "2"), part("papers", "3"), END],
      400,
      'Field "papers" must not have more than 2 items',
    ],
    [
      "text that is not UTF-8",
      [PHOTO, part("note", Buffer.from([255])), END],
      400,
      'Field "note" is not UTF-8',
    ],
    ["a NUL character", [PHOTO, part("note", "\0"), END], 400, 'Field "note" has a NUL character'],
    [
      "a part without a name",
      [PHOTO, `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n`, END],
      400,
      "A part of the form has no name",
    ],
    [
      "a file over the schema's size",
      [part("photo", "x".repeat(2_001), { type: "image/png" }), END],
      400,
      'Field "photo" must not have more than 2000 bytes',
    ],
    [
      "a file over the limit",
      [PHOTO, part("cover", "x".repeat(10_001), { type: "image/png" }), END],
      413,
      'Field "cover" is larger than 10000 bytes',
    ],
    [
      "a value over the limit",
      [PHOTO, part("other", "x".repeat(1_001)), END],
      413,
      'Field "other" is larger than 1000 bytes',
    ],
    [
      "a body over the limit",
      [PHOTO, part("cover", "x".repeat(20_000)), END],
      413,
      "The body is larger than 20000 bytes",
    ],
    [
      "too many parts",
      [PHOTO, ...Array.from({ length: 6 }, () => part("x", "")), END],
      413,
      "The form has more than 6 parts",
    ],
    [
      "a file of another type",
      [part("photo", "GIF89a", { filename: "x.png", type: "image/gif" }), END],
      415,
      'Field "photo" must be image/png or image/jpeg',
    ],
    [
      "a file without a type",
      [part("photo", "x"), END],
      415,
      'Field "photo" must be image/png or image/jpeg',
    ],
    [
      "a file outside the range",
      [PHOTO, part("cover", "x", { type: "text/html" }), END],
      415,
      'Field "cover" must be image/*',
    ],
    [
      "an encoded part",
      [PHOTO, part("note", "eA==", { more: "Content-Transfer-Encoding: base64\r\n" }), END],
      415,
      'Field "note" must not have a Content-Transfer-Encoding',
    ],
    ...["a\0.png", "a\u001b[2J.png"].map((filename): [string, Buffer[], number, string] => [
      `the file name ${JSON.stringify(filename)}`,
      [part("photo", "x", { filename, type: "image/png" }), Buffer.from(END)],
      400,
      'Field "photo" has a control character in its file name',
    ]),
    [
      "an encoded file name with NUL",
      [PHOTO.toString("latin1").replace('filename="rex.png"', "filename*=UTF-8''a%00.png"), END],
      400,
      'Field "photo" has a control character in its file name',
    ],
    ...[
      ["a part without a Content-Disposition", "X: y", "A part of the form has no name"],
      [
        "a part of another disposition",
        'Content-Disposition: attachment; name="note"',
        "A part of the form has no name",
      ],
      ["a header without a colon", 'Content-Disposition: form-data; name="note"\r\nx', WHOLE],
      ["a bare line feed in a head", 'Content-Disposition: form-data; name="note"\nX: y', WHOLE],
      ["a head that is not UTF-8", 'Content-Disposition: form-data; name="\u00ff"', WHOLE],
      ["a name twice", 'Content-Disposition: form-data; name="note"; name="petId"', WHOLE],
      ["a Content-Disposition twice", `${NOTE}\r\n${NOTE}`, WHOLE],
      ["a quote without an end", 'Content-Disposition: form-data; name="note', WHOLE],
      ["an encoded file name in Latin-1", `${NOTE}; filename*=ISO-8859-1''%e9`, WHOLE],
      ["text after a delimiter", `x\r\n${NOTE}`, WHOLE],
    ].map(([name = "", head = "", message = ""]): [string, Buffer[], number, string] => [
      name,
      [
        PHOTO,
        Buffer.from(`--${BOUNDARY}${head.startsWith("x") ? "" : "\r\n"}${head}\r\n\r\n1\r\n${END}`, "latin1"),
      ],
      400,
      message,
    ]),
    ["no end", [PHOTO], 400, "The body is not a whole multipart form"],
    ["an end within a part", [PHOTO.subarray(0, -9)], 400, "The body is not a whole multipart form"],
    [
      "an end within a head",
      [PHOTO, part("note", "x").subarray(0, 30)],
      400,
      "The body is not a whole multipart form",
    ],
    ["another boundary", ["--other\r\n\r\nx\r\n--other--"], 400, "The body is not a whole multipart form"],
    ["nothing but text", ["hello"], 400, "The body is not a whole multipart form"],
    ["no parts", [END], 400, 'Field "photo" is required'],
  ])("with %s is refused", async (_, parts, status, message) => {
    expect(await upload(parts)).toMatchObject({
      status,
      json: { message: expect.stringContaining(message) as unknown },
    });
  });

  test.each([
    ["none", "multipart/form-data"],
    ["an empty one", "multipart/form-data; boundary="],
    ["a long one", `multipart/form-data; boundary=${"x".repeat(300)}`],
    ["one in quotes that ends early", 'multipart/form-data; boundary="'],
  ])("whose boundary is %s is 400", async (_, contentType) => {
    expect(await upload([PHOTO, END], contentType)).toMatchObject({
      status: 400,
      json: { code: "malformed_request" },
    });
  });

  test("a head that never ends is refused soon", async () => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${"x".repeat(15_000)}`;
    expect(await upload([head])).toMatchObject({ status: 400 });
  });

  test.each([
    ["a boundary of dashes", "--", `----\r\n${NOTE}\r\n\r\n1\r\n------`, 400],
    ["a boundary of dashes, and its end first", "--", `------\r\n${NOTE}\r\n\r\n1\r\n------\r\n`, 400],
    ["an end, and another part", "b", `--b--\r\n--b\r\n${NOTE}\r\n\r\n1\r\n--b--\r\n`, 400],
    ["parts without headers", "b", `--b\r\n\r\n1\r\n--b\r\n\r\n\r\n--b--`, 400],
    ["empty parts", "b", "--b\r\n--b\r\n--b--", 400],
  ])("gets a response: %s", async (_, boundary, body, status) => {
    const contentType = `multipart/form-data; boundary="${boundary}"`;
    expect(await upload([body], contentType)).toMatchObject({ status });
  });

  test("gets a response wherever it ends", async () => {
    const whole = Buffer.concat([part("note", "x"), PHOTO, Buffer.from(END)]);
    for (let end = 1; end < whole.byteLength - 2; end += 1)
      expect(await upload([whole.subarray(0, end)])).toMatchObject({ status: 400, json: { message: WHOLE } });
    expect(await upload([whole.subarray(0, -2)])).toMatchObject({ status: 201 });
  });

  test("is the same in chunks of a byte, with text before and after it, and with spaces after delimiters", async () => {
    const [first = "", ...rest] = part("note", "a\r\n--b\r\n\r").toString("latin1").split("\r\n");
    const body = Buffer.concat([
      Buffer.from(["before", `${first} \t`, ...rest].join("\r\n"), "latin1"),
      PHOTO,
      Buffer.from(`${END}\r\nafter --${BOUNDARY}`),
    ]);
    const answer = await new Promise<Answer["json"]>((resolve, reject) => {
      const outgoing = request(
        {
          port: served.port,
          path: "/v1/pets/photo",
          method: "POST",
          agent: false,
          headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
        },
        (incoming) => void json(incoming).then(resolve, reject),
      );
      for (const byte of body) outgoing.write(Buffer.from([byte]));
      outgoing.end();
    });
    expect(answer).toMatchObject({ note: "a\r\n--b\r\n\r", photo: { filename: "rex.png", size: 4 } });
  });

  test("the service lives on", async () => {
    expect(await upload([PHOTO, END])).toMatchObject({ status: 201 });
    expect(served.failures.filter(({ problem }) => problem.status === 500)).toEqual([]);
  });
});
