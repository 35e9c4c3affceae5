import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createApi as createKeywords } from "../../fixtures/keywords/generated/server.js";
import { createApi as createPolymorphic } from "../../fixtures/polymorphic/generated/server.js";
import { close, listen, send } from "../../support/http.js";

/** Handlers that answer with the body that they were given, or with another one that the request brings along. */
const options = {
  authenticators: {},
  context: () => ({}),
  errorBody: ({ message }: { message: string }) => ({ message }),
  onFailure: () => undefined,
};

let server: Server;
let port: number;
let instead: unknown;

beforeAll(async () => {
  const app = express().use(
    createPolymorphic({
      ...options,
      handlers: {
        named: ({ body }, reply) => reply[200]((instead ?? body) as typeof body),
        mapped: ({ body }, reply) => reply[200](body ?? { kind: "cat" }),
        valued: ({ body }, reply) => reply[200](body),
        createAnimal: ({ body }, reply) =>
          reply[200]((instead ?? { id: 1, ...body }) as Parameters<(typeof reply)[200]>[0]),
        odd: ({ query, body }, reply) => {
          expect(query.codes ?? [1, 2]).toEqual([1, 2]);
          return reply[200]({ self: body.self ?? "" });
        },
      },
    }),
  );
  server = createServer(app as RequestListener);
  port = await listen(server);
});

afterAll(() => close(server));

async function post(path: string, body: unknown, to = port) {
  const { status, json } = await send(to, path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status, json: json as { message?: string } | undefined };
}

describe("discriminators", () => {
  test.each([
    ["the schema's name", "/named", { kind: "Cat" }, 200],
    ["another schema's members", "/named", { kind: "Dog" }, 400],
    ["a value that stands for nothing", "/named", { kind: "cat" }, 400],
    ["no value", "/named", {}, 400],
    ["no object", "/named", "Cat", 400],
    ["a value that is mapped by bare name", "/mapped", { kind: "kitten" }, 200],
    ["a value that is mapped by reference", "/mapped", { kind: "dog", loud: true }, 200],
    ["the schema's name where another is mapped", "/mapped", { kind: "Cat" }, 400],
    ["null beside a discriminator", "/mapped", null, 200],
    [
      "a value of the schema's own enum, at depth",
      "/valued",
      [{ shape: "square", sides: 4, inside: { shape: "circle", radius: 1 } }],
      200,
    ],
    [
      "the wrong schema at depth",
      "/valued",
      [{ shape: "square", sides: 4, inside: { shape: "circle" } }],
      400,
    ],
    ["an heir by mapping", "/animals", { species: "fish", depth: 3 }, 200],
    ["an heir's heir by name", "/animals", { species: "Shark", depth: 3, teeth: 300 }, 200],
    ["the base itself", "/animals", { species: "Animal" }, 200],
    ["an heir without what makes it one", "/animals", { species: "fish" }, 400],
    ["nobody's name", "/animals", { species: "Fish", depth: 3 }, 400],
  ])("a request with %s", async (_, path, body, want) => {
    expect(await post(path, body)).toMatchObject({ status: want });
  });

  test("report the problems of the closest alternative only", async () => {
    const { json } = await post("/named", { kind: "Dog" });
    expect(json?.message).toBe('Field "loud" is required');
  });

  test("hold for responses", async () => {
    instead = { kind: "Dog" };
    expect(await post("/named", { kind: "Cat" })).toMatchObject({ status: 500 });
    instead = { species: "fish", id: 1 };
    expect(await post("/animals", { species: "Animal" })).toMatchObject({ status: 500 });
    instead = undefined;
  });
});

describe("OpenAPI 3.0", () => {
  test.each([
    ["nullable without a type", { nothing: null }, 200],
    ["nullable beside allOf: null", { maybe: null }, 200],
    ["nullable beside allOf: a value", { maybe: { shape: "circle", radius: 1 } }, 200],
    ["nullable beside allOf: a wrong value", { maybe: {} }, 400],
    ["nullable beside an enum", { listed: null }, 200],
    ["nullable beside a reference is ignored", { ignored: null }, 400],
    ["a property called hasOwnProperty", { hasOwnProperty: 1 }, 400],
    ["a property called toString, by reference into a schema", { toString: "1" }, 400],
    ["a reference into the base of a hierarchy", { animalName: 1 }, 400],
    ["a hierarchy in allOf alone", { described: { species: "fish", depth: 1 } }, 200],
    ["a hierarchy in allOf alone, wrongly", { described: { species: "fish" } }, 400],
    ["nullable beside a type", { tags: null }, 200],
    ["a pattern that is no Unicode pattern", { code: "a_b" }, 200],
    ["a pattern that does not match", { code: "a b" }, 400],
    ["a schema that holds itself", { self: { a: ["b", { c: [] }] } }, 200],
    ["a schema that holds itself, wrongly", { self: { a: ["b", { c: 1 }] } }, 400],
  ])("%s", async (_, body, want) => {
    expect(await post("/odd", body)).toMatchObject({ status: want });
  });

  test("a nullable array parameter is parsed as an array", async () => {
    expect(await post("/odd?codes=1,2", {})).toMatchObject({ status: 200 });
  });

  test("readOnly of a base is neither asked for nor taken", async () => {
    expect(await post("/animals", { species: "fish", depth: 1, id: 1 })).toMatchObject({ status: 400 });
    expect((await post("/animals", { species: "fish", depth: 1 })).json).toMatchObject({ id: 1 });
  });
});

describe("OpenAPI 3.1", () => {
  let keywords: Server;
  let keywordsPort: number;

  beforeAll(async () => {
    const api = createKeywords({
      ...options,
      handlers: {
        postValues: ({ body }, reply) => reply[200](body ?? {}),
        pathToEscape: ({ path }, reply) =>
          reply["2XX"](path.id === 7 ? 204 : 202, {
            headers: { "x-lower": path.id === 8 ? ("x" as never) : 1 },
          }),
      },
    });
    keywords = createServer(express().use(api) as RequestListener);
    keywordsPort = await listen(keywords);
  });

  afterAll(() => close(keywords));

  test.each([
    ["prefixItems", { tuple: ["a", 1] }, { tuple: [1, "a"] }],
    ["items: false", { tuple: ["a", 1] }, { tuple: ["a", 1, 2] }],
    ["patternProperties", { map: { "x-a": "b", other: true } }, { map: { "x-a": 1 } }],
    ["patternProperties and no others", { closedMap: { "n-a": 1 } }, { closedMap: { other: 1 } }],
    ["if and then", { conditional: { country: "DE", iban: "x" } }, { conditional: { country: "DE" } }],
    ["if and else", { conditional: { country: "FR" } }, { conditional: { country: "FR", iban: "x" } }],
    ["dependentSchemas", { dependent: { card: "1", address: {} } }, { dependent: { card: "1" } }],
    ["unevaluatedProperties", { closed: { a: "b" } }, { closed: { b: "b" } }],
    ["not", { notString: 1 }, { notString: "a" }],
    ["const without a type", { constant: 1 }, { constant: 2 }],
    ["enum without a type", { mixed: null }, { mixed: "b" }],
    ["siblings of a reference", { narrowed: { country: "DE", iban: "x" } }, { narrowed: { country: "FR" } }],
    [
      "siblings of a component's reference",
      { named: { country: "DE", iban: "x" } },
      { named: { country: "FR" } },
    ],
    ["a reference to $defs", { defined: { street: "a" } }, { defined: { street: 1 } }],
    ["the schema false", {}, { nobody: 1 }],
    ["a discriminator of constants", { choice: { state: "on", level: 1 } }, { choice: { state: "neither" } }],
  ])("%s", async (_, good, bad) => {
    expect(await post("/values", good, keywordsPort)).toMatchObject({ status: 200, json: good });
    expect(await post("/values", bad, keywordsPort)).toMatchObject({ status: 400 });
  });

  test("a response header in lower case is declared like any other", async () => {
    expect(await send(keywordsPort, "/caf%C3%A9%20menu/8%23now")).toMatchObject({ status: 500 });
  });

  test("a path is matched as it is sent, escaped", async () => {
    expect(await send(keywordsPort, "/caf%C3%A9%20menu/7%23now")).toMatchObject({ status: 204 });
  });
});
