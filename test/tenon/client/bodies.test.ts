import { Blob, File } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ClientContract, createContractClient, UnreadableBodyError } from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";
import { createClient } from "../../fixtures/media-types/generated/client.js";
import { toCalls } from "../../support/calls.js";
import { LIMITS, serve, type Served } from "../runtime/media-types/serve.js";

let served: Served;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  served = await serve({ ...LIMITS, partLimit: 20 });
  client = createClient({ baseUrl: `http://127.0.0.1:${served.port}/v1` });
});
afterAll(() => served.stop());

const PET = { name: "Rëx & Co", age: 3, tame: true };

describe("a request body is sent in the media type that is chosen", () => {
  test("JSON by default", async () => {
    const { data } = await client.POST("/pets", { body: PET });
    expect(data).toMatchObject({ mediaType: "application/json", name: PET.name, tame: true });
  });

  test("a form, from a value or ready made", async () => {
    const mediaType = "application/x-www-form-urlencoded";
    const body = { ...PET, tags: ["a", "b&c"], nicknames: ["x", "y"], codes: [1, 2], owner: { name: "O" } };
    const { data } = await client.POST("/pets", { mediaType, body });
    expect(data).toMatchObject({ mediaType, value: body });
    const ready = new URLSearchParams({ name: "a+b" });
    expect((await client.POST("/pets", { mediaType, body: ready })).data).toMatchObject({ name: "a+b" });
    await expect(
      client.POST("/pets", { mediaType, body: { ...PET, codes: ["1|2"] as never } }),
    ).rejects.toThrow('Cannot send the field "codes"');
  });

  test.each(["application/x-www-form-urlencoded", "multipart/form-data"] as const)(
    "the fields of a form in their styles: %s",
    async (mediaType) => {
      const body = {
        items: [
          { price: "p", quantity: 2 },
          { price: "50% + 1", quantity: 1 },
        ],
        metadata: { order: "a=b&c" },
        expand: ["x", "y,z"],
        ends: 7,
        gift: true,
        colour: { red: 255, name: "dark" },
        size: { width: 1, height: 2 },
        path: [[1, 2], [3]],
      };
      const { data } = await client.POST("/orders", { mediaType, body });
      expect(data).toMatchObject({ total: 3, value: body });
    },
  );

  test("text as it is", async () => {
    const csv = await client.POST("/pets", { mediaType: "text/csv", body: "name,x" });
    expect(csv.data).toEqual({ mediaType: "text/csv", text: "NAME,X" });
    const xml = await client.POST("/pets", { mediaType: "application/xml", body: "<p>ü</p>" });
    expect(xml.data).toEqual({ mediaType: "application/xml", text: "<P>Ü</P>" });
    expect((await client.PUT("/text", { body: "üü" })).data).toBe("üü");
  });

  test("bytes of a range, by a media type of it", async () => {
    const body = new Uint8Array([1, 2, 3]);
    const { data } = await client.POST("/pets", { mediaType: "image/png", body });
    expect(data).toEqual({ mediaType: "image/*", contentType: "image/png", bytes: 3 });
    const calls = [
      // @ts-expect-error a range is none
      () => client.POST("/pets", { mediaType: "image/*", body: 7 }),
      // @ts-expect-error not declared
      () => client.POST("/pets", { mediaType: "audio/ogg", body }),
      // @ts-expect-error text is no JSON
      () => client.POST("/pets", { body: "name,x" }),
      // @ts-expect-error JSON is no text
      () => client.POST("/pets", { mediaType: "text/csv", body: PET }),
    ];
    await expect(calls[0]?.()).rejects.toThrow("image/* is a range");
  });

  test.each<[string, () => Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>]>([
    ["a Blob", () => new Blob([new Uint8Array([0, 255])], { type: "text/plain" })],
    ["a buffer", () => new Uint8Array([0, 255]).buffer],
    ["a view of one", () => new Uint8Array([7, 0, 255, 7]).subarray(1, 3)],
    ["a stream", () => new Blob([new Uint8Array([0, 255])]).stream() as ReadableStream<Uint8Array>],
  ])("bytes as they are: %s", async (_, body) => {
    const { data } = await client.PUT("/bytes", { body: body() as never });
    expect(new Uint8Array(await data.arrayBuffer())).toEqual(new Uint8Array([0, 255]));
  });

  test("a multipart form, with files", async () => {
    const photo = new File([new Uint8Array([137, 80])], "rex.png", { type: "image/png" });
    const papers = ["a", "bc"].map((text) => new Blob([text], { type: "application/pdf" }));
    const { data, status } = await client.POST("/pets/photo", {
      body: { petId: 7, note: "hi", owner: { name: "O" }, photo, papers } as never,
    });
    expect({ status, data }).toMatchObject({
      status: 201,
      data: {
        petId: 7,
        note: "hi",
        owner: { name: "O" },
        photo: { filename: "rex.png", mediaType: "image/png", size: 2 },
        papers: [{ size: 1 }, { size: 2 }],
      },
    });
    const form = new FormData();
    form.append("photo", photo, "other.png");
    expect((await client.POST("/pets/photo", { body: form })).data).toMatchObject({
      photo: { filename: "other.png" },
    });
  });

  test("nothing where it is optional", async () => {
    expect((await client.POST("/pets/photo")).status).toBe(201);
  });
});

describe("a range of one suffix", () => {
  interface Paths {
    "/a": {
      post: {
        parameters: object;
        requestBody: { content: { "application/*+json": { list: number[] } } };
        responses: { 200: { content: { "application/*+json": unknown } } };
      };
    };
  }
  const sent: Request[] = [];
  const { POST } = createContractClient<Paths>(
    {
      tenon: GENERATED_VERSION,
      securitySchemes: {},
      security: [],
    },
    toCalls({
      "/a": { post: { responses: [[200, "application/*+json"]], mediaTypes: ["application/*+json"] } },
    }),
    {
      baseUrl: "https://petstore.example",
      fetch(request) {
        sent.push(request);
        return Promise.resolve(
          new Response("[1]", { headers: { "Content-Type": "application/vnd.answer+json" } }),
        );
      },
    },
  );
  const body = { list: [1, 2] } as const;

  test("is sent and received as a media type inside the range", async () => {
    const { data } = await POST("/a", { mediaType: "application/vnd.pets+json", body });
    expect(data).toEqual([1]);
    expect(sent[0]?.headers.get("content-type")).toBe("application/vnd.pets+json");
    expect(await sent[0]?.json()).toEqual(body);
  });

  test.each([
    [
      "one that is not in it",
      // @ts-expect-error it has another suffix
      () => POST("/a", { mediaType: "application/xml", body }),
      "declares no body of application/xml here, but application/*+json",
    ],
    // @ts-expect-error one has to be chosen
    ["the range itself", () => POST("/a", { body }), "application/*+json is a range"],
    // The compiler cannot tell it from a media type.
    [
      "the range by its name",
      () => POST("/a", { mediaType: "application/*+json", body }),
      "application/*+json is a range",
    ],
  ])("%s rejects before anything is sent", async (_, call, message) => {
    sent.length = 0;
    await expect(call()).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });
});

describe("a response is read by its media type", () => {
  test("the client's headers choose among them", async () => {
    const csv = await client.GET("/pets", { headers: { Accept: "text/csv" } });
    expect(csv.status === 200 && csv.data).toMatch("id,name");
    const json = await client.GET("/pets", { headers: { Accept: "application/vnd.pets.v2+json" } });
    expect(json.data).toEqual([{ id: 1, name: "Rex" }]);
    const broken = await client.GET("/pets", { params: { query: { broken: true } } });
    expect(broken).toMatchObject({ status: 422, error: { code: "broken" } });
  });

  test("a body that is neither JSON nor text is a Blob", async () => {
    const { data } = await client.GET("/pets/photo");
    expect(data).toMatchObject({ type: "image/png", size: 4 });
    expect((await client.GET("/pets/photo", { params: { query: { as: "text" } } })).data).toBe("# Rex");
    expect((await client.GET("/pets/photo", { params: { query: { as: "json" } } })).error).toBe(
      "a string is JSON too",
    );
  });
});

describe("a response that is not declared", () => {
  interface Paths {
    "/a": {
      get: {
        parameters: object;
        responses: { 200: { content: { "application/json": unknown } }; 204: { content?: never } };
      };
    };
  }
  const contract: ClientContract = {
    tenon: GENERATED_VERSION,
    securitySchemes: {},
    security: [],
  };
  const calls = toCalls({ "/a": { get: { responses: [200, [204]] } } });
  const answer = (body: string | null, type = "application/json", status = 200) =>
    createContractClient<Paths>(contract, calls, {
      baseUrl: "https://petstore.example",
      fetch: () => Promise.resolve(new Response(body, { status, headers: { "Content-Type": type } })),
    }).GET("/a");

  test.each([
    ["an integer that would be rounded", '{"id":9007199254740993}', /has the number 9007199254740993/],
    ["the same below zero", "[-9007199254740993]", /has the number -9007199254740993/],
    ["a number that would be infinite", "[1e999]", /has the number 1e999/],
    ["what is not JSON", "<html>", /is not JSON/],
    ["nothing", "", /is empty/],
  ])("%s rejects", async (_, body, message) => {
    await expect(answer(body)).rejects.toThrow(UnreadableBodyError);
    await expect(answer(body)).rejects.toThrow(message);
  });

  test("another media type rejects", async () => {
    await expect(answer("<html>", "text/html")).rejects.toThrow(/is text\/html; expected application\/json/);
  });

  test.each([
    ['{"a":"9007199254740993","b\\"1e999":1}', { a: "9007199254740993", 'b"1e999': 1 }],
    ["[9007199254740991,0.1234567890123456789,1e300]", [9007199254740991, 0.12345678901234568, 1e300]],
    ["null", null],
  ])("%s is fine", async (body, want) => {
    expect((await answer(body)).data).toEqual(want);
    expect((await answer(body, "application/problem+json; charset=utf-8")).data).toEqual(want);
  });

  test("an undeclared body is not read", async () => {
    const { status, data } = await answer(null, "text/html", 204);
    expect({ status, data }).toEqual({ status: 204, data: undefined });
  });
});
