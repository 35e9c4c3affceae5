import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { send, type Answer } from "../../../support/http.js";
import { serve, type Served } from "./serve.js";
import { matching } from "../../../support/matching.js";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

const FORM = "application/x-www-form-urlencoded";
const post = (
  contentType: string,
  body: string | Buffer,
  more: Record<string, string> = {},
): Promise<Answer> =>
  send(served.port, "/v1/pets", { method: "POST", headers: { "content-type": contentType, ...more }, body });
const put = (path: string, contentType: string, body: string | Buffer): Promise<Answer> =>
  send(served.port, path, { method: "PUT", headers: { "content-type": contentType }, body });

describe("a request body of several media types", () => {
  test("says which one it is", async () => {
    expect(await post("application/json", '{"name":"Rex"}')).toMatchObject({
      status: 201,
      json: { mediaType: "application/json", value: { name: "Rex", tame: false } },
    });
    expect(await post("text/csv", "name,\nö")).toMatchObject({
      status: 201,
      json: { mediaType: "text/csv", text: "NAME,\nÖ" },
    });
    expect(await post("application/xml; charset=utf-8", "<pet/>")).toMatchObject({
      status: 201,
      json: { mediaType: "application/xml", text: "<PET/>" },
    });
    expect(await post("image/webp", Buffer.from([0, 255, 254]))).toMatchObject({
      status: 201,
      json: { mediaType: "image/*", contentType: "image/webp", bytes: 3 },
    });
  });

  test.each([
    ["application/pdf", "x"],
    ["multipart/form-data; boundary=B", "x"],
    ["imagery/png", "x"],
    ["text/csv; charset=latin1", "name,"],
    ["nonsense", "x"],
  ])("%s is 415 and told what is wanted", async (contentType, body) => {
    const answer = await post(contentType, body);
    expect(answer).toMatchObject({ status: 415, json: { code: "unsupported_media_type" } });
    const wanted = `application/json, ${FORM}, text/csv, application/xml, image/*`;
    expect(answer.headers).toMatchObject({ accept: wanted, "accept-post": wanted });
  });

  test("Accept-Post is for POST", async () => {
    const { status, headers } = await put("/v1/text", "text/html", "x");
    expect([status, headers.accept, headers["accept-post"]]).toEqual([415, "text/plain", undefined]);
  });
});

describe("text", () => {
  test.each([
    ["name,x", 201],
    ["x", 400],
    [`name,${"x".repeat(16)}`, 400],
  ])("is validated: %s is %i", async (text, status) => {
    expect(await post("text/csv", text)).toMatchObject({ status });
  });

  test.each([
    ["not UTF-8", Buffer.from([0x6e, 0xff])],
    ["a NUL character", "name,\0"],
  ])("%s is 400", async (_, body) => {
    expect(await post("text/csv", body)).toMatchObject({ status: 400, json: { code: "invalid_body" } });
  });

  test("an optional one may be absent", async () => {
    expect(await send(served.port, "/v1/text", { method: "PUT" })).toMatchObject({
      status: 200,
      text: "nothing",
    });
  });

  test("over the limit is 413", async () => {
    expect(await put("/v1/text", "text/plain", "x".repeat(1_001))).toMatchObject({ status: 413 });
  });
});

describe("bytes", () => {
  test("come and go as they are", async () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    const answer = await put("/v1/bytes", "application/octet-stream", bytes);
    expect(answer.headers).toMatchObject({ "content-type": "application/octet-stream" });
    expect(answer.bytes).toEqual(bytes);
  });

  test("have a limit of their own", async () => {
    expect(await put("/v1/bytes", "application/octet-stream", Buffer.alloc(20_000))).toMatchObject({
      status: 200,
    });
    expect(await put("/v1/bytes", "application/octet-stream", Buffer.alloc(20_001))).toMatchObject({
      status: 413,
    });
  });
});

describe("a form", () => {
  test("has values of the declared types", async () => {
    const body =
      "name=R%C3%ABx+II&age=3&weight=1.5e1&tame=true&tags=a&tags=b,c&nicknames=x,y&codes=1%7C2&owner=%7B%22name%22:%22O%22%7D";
    expect(await post(FORM, body)).toMatchObject({
      status: 201,
      json: {
        mediaType: FORM,
        value: {
          name: "Rëx II",
          age: 3,
          weight: 15,
          tame: true,
          tags: ["a", "b,c"],
          nicknames: ["x", "y"],
          codes: [1, 2],
          owner: { name: "O" },
        },
      },
    });
  });

  test("gets defaults, and one item is an array", async () => {
    expect(await post(FORM, "name=x&tags=a")).toMatchObject({
      json: { value: { name: "x", tame: false, tags: ["a"] } },
    });
  });

  test("is decompressed", async () => {
    expect(await post(FORM, gzipSync("name=x"), { "content-encoding": "gzip" })).toMatchObject({
      status: 201,
    });
  });

  test.each([
    ["", 'Field "name" is required'],
    ["age=1", 'Field "name" is required'],
    ["name=", 'Field "name" must not have fewer than 1 characters'],
    ["name=a&name=b", 'Field "name" must be a string, and only once'],
    ["name=a&age=0x10", 'Field "age" must be an integer in plain decimal digits'],
    ["name=a&age=1e1", 'Field "age" must be an integer in plain decimal digits'],
    ["name=a&age=9007199254740993", /^Field "age" must be from -9007199254740991/],
    ["name=a&age=-1", 'Field "age" must be at least 0'],
    ["name=a&age=1&age=2", 'Field "age" must be an integer in plain decimal digits, and only once'],
    ["name=a&weight=Infinity", 'Field "weight" must be a decimal number'],
    ["name=a&tame=yes", 'Field "tame" must be true or false'],
    ["name=a&codes=1%7Cx", 'Field "codes[1]" must be an integer in plain decimal digits'],
    ["name=a%00", /NUL/],
    ["name=a&owner=%7B", 'Field "owner" is not JSON (character 2)'],
    ["name=a&owner=%7B%22name%22:1%7D", 'Field "owner[name]" must be a string'],
    ["name=a&more=1", /^Field "\w+" is unknown$/],
    ["name=a&__proto__=1", /^Field "\w+" is unknown$/],
    ["name=%zz", 'Field "name" has a bad percent-escape'],
    ["name=%ff", 'Field "name" has a bad percent-escape'],
    ["name=a&%zz=", "The form has a bad percent-escape"],
    ["name=a&other=%00", 'Field "other" has a NUL character'],
    [
      "age=x&tame=x",
      'Field "age" must be an integer in plain decimal digits; Field "tame" must be true or false',
    ],
  ])("%s is 400", async (body, message) => {
    const answer = await post(FORM, body);
    expect(answer).toMatchObject({ status: 400, json: { message: matching(message) } });
  });

  test("over the limit is 413", async () => {
    expect(await post(FORM, `name=${"x".repeat(1_000)}`)).toMatchObject({ status: 413 });
  });
});

describe("an empty body", () => {
  test.each([
    ["is no text without a Content-Type", "/v1/text", undefined, { status: 200, text: "nothing" }],
    ["is no text of another media type", "/v1/text", "text/html", { status: 200, text: "nothing" }],
    [
      "is an empty text, which the schema judges",
      "/v1/text",
      "text/plain",
      { status: 400, json: { message: "The body must not have fewer than 2 characters" } },
    ],
    ["is an empty file", "/v1/bytes", "application/octet-stream", { status: 200, text: "" }],
  ])("%s", async (_, path, contentType, want) => {
    const headers = { "content-length": "0", ...(contentType && { "content-type": contentType }) };
    const answer = await send(served.port, path, { method: "PUT", headers });
    expect({ ...answer, json: (answer.json as object | undefined) ?? {} }).toMatchObject(want);
  });

  test("is none where it should be JSON", async () => {
    expect(await post("application/json", "")).toMatchObject({
      status: 400,
      json: { code: "invalid_body", message: "The body is required" },
    });
  });

  test("is a text that is required and valid", async () => {
    const answer = await post("text/csv", "");
    expect(answer).toMatchObject({
      status: 400,
      json: { message: expect.stringMatching(/^The body must match/) },
    });
  });
});
