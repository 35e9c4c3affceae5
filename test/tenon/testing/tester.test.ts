import express from "express";
import { describe, expect, test } from "@jest/globals";
import { createClient } from "../../../generated/v1/client.js";
import * as server from "../../../generated/v1/server.js";
import type { operations } from "../../../generated/v1/types.js";
import type { RequestHandler } from "express";
import { createClient as createAnimalsClient } from "../../fixtures/split/generated/client.js";
import * as animals from "../../fixtures/split/generated/server.js";
import type { operations as AnimalOperations } from "../../fixtures/split/generated/types.js";
import { createClient as createStreamsClient } from "../../fixtures/streams/generated/client.js";
import * as streams from "../../fixtures/streams/generated/server.js";
import type { operations as StreamOperations } from "../../fixtures/streams/generated/types.js";
import { createTester, UndeclaredResponseError, type Tester } from "../../../src/tenon/testing/index.js";

const REX = { id: 1, name: "Rex", categoryId: 1 };

/** The contract with correct handlers, behind middleware that may change responses. */
function startTester(spoil?: RequestHandler): Tester<operations> {
  const app = express();
  if (spoil) app.use(spoil);
  app.use(
    server.createApi({
      errorBody: (problem) => problem,
      onFailure: () => undefined,
      responseValidation: "off",
      authenticators: { bearerAuth: (key) => (key === "good" ? { key } : undefined) },
      handlers: {
        listPets: ({ query: { limit } }, reply) =>
          reply[200](Array(Math.min(limit, 2)).fill(REX) as (typeof REX)[], {
            headers: { RateLimit: '"key";r=1;t=1' },
          }),
        createPet: ({ body }, reply) => reply[201]({ id: 2, ...body }),
        getPet: ({ path: { petId } }, reply) => reply[200]({ ...REX, id: petId }),
      },
    }),
  );
  return createTester<operations>(app, { ...server, createClient }, { apiKey: "good" });
}

/** Responds in place of the contract's handlers. */
const answering =
  (
    status: number,
    body: string,
    headers: Record<string, string> = { "content-type": "application/json" },
  ): RequestHandler =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

test("code that was generated from another contract is refused", () => {
  const others = server.operations.filter(({ id }) => id !== "listPets");
  expect(() => createTester(express(), { ...server, operations: others, createClient })).toThrow(
    "The code was generated without the operation listPets: GET /pets",
  );
});

describe("calls by name", () => {
  test("send what the contract takes, and resolve to what it declares", async () => {
    const tester = startTester();
    const listed = await tester.listPets({ query: { limit: 2 } });
    expect(listed).toMatchObject({ status: 200, data: [REX, REX] });
    const made = await tester.createPet({ body: { name: "Tom", categoryId: 2 } });
    // The compiler knows what there is under a status.
    const name: string | undefined = made.status === 201 ? made.data.name : undefined;
    expect(name).toBe("Tom");
    expect(await tester.getPet({ path: { petId: 7 } })).toMatchObject({ data: { id: 7 } });
  });

  test("resolve to declared errors too", async () => {
    const tester = startTester();
    const refused = await tester.listPets({ query: { limit: 0 } });
    expect(refused).toMatchObject({ status: 400, error: { code: "invalid_parameter" } });
    const strange = await tester.listPets({ headers: { authorization: "Bearer bad" } });
    expect(strange).toMatchObject({ status: 401 });
    expect(await tester.listOrders()).toMatchObject({ status: 501 });
  });

  test("are those of the contract, checked by the compiler", () => {
    const tester = startTester();
    // @ts-expect-error -- there is no such operation
    expect(tester.deletePet).toBeUndefined();
    // @ts-expect-error -- a number is wanted
    expect(() => tester.listPets({ query: { limit: "2" } })).not.toThrow();
  });
});

test("readOnly properties are not sent, and are received as what they are", async () => {
  const app = express();
  app.use(
    animals.createPartialApi({
      errorBody: (problem: object) => problem,
      handlers: {
        createPet: (_, reply) => reply[204](),
        listPets: (_, reply) => reply[200]([{ id: 7, name: "Rex" }]),
      },
      unimplemented: "501",
    }),
  );
  const tester = createTester<AnimalOperations>(app, { ...animals, createClient: createAnimalsClient });
  expect(await tester.createPet({ body: { name: "Rex" } })).toMatchObject({ status: 204 });
  const { data } = await tester.listPets();
  const ids: number[] = data.map(({ id }) => id);
  expect(ids).toEqual([7]);
});

test("items of a request are sent, and checked by the service", async () => {
  const app = express();
  app.use(
    streams.createPartialApi({
      errorBody: ({ code, message }) => ({ code, message }),
      handlers: {
        importChanges: async ({ body }, reply) => {
          let [count, sum] = [0, 0];
          for await (const { number } of body.value) [count, sum] = [count + 1, sum + number];
          return reply[200]({ count, sum });
        },
      },
      unimplemented: "501",
    }),
  );
  const tester = createTester<StreamOperations>(app, { ...streams, createClient: createStreamsClient });
  async function* make() {
    await Promise.resolve();
    for (let number = 2; number >= 0; number -= 1) yield { number };
  }
  const mediaType = "application/jsonl";
  expect((await tester.importChanges({ body: [{ number: 1 }, { number: 2 }], mediaType })).data).toEqual({
    count: 2,
    sum: 3,
  });
  expect(await tester.importChanges({ body: make(), mediaType })).toMatchObject({
    status: 400,
    error: { message: 'Line 3, field "number" must be at least 1' },
  });
});

describe("an undeclared response fails the call:", () => {
  test.each<[string, RequestHandler, string]>([
    ["status", answering(418, "{}"), "status 418 is not declared"],
    [
      "media type",
      answering(200, "[]", { "content-type": "text/csv" }),
      "media type text/csv is not declared",
    ],
    ["no body", answering(200, "", {}), "a body is required"],
    ["body without a type", answering(200, "[]", {}), "a body without Content-Type"],
    ["broken JSON", answering(200, "[{"), "the body is not JSON"],
    ["value", answering(200, '[{"id":"1"}]'), "/0"],
    ["required header", answering(401, '{"code":"a","message":"b","status":401}'), "header www-authenticate"],
    [
      "header of another type",
      answering(503, '{"code":"a","message":"b","status":503}', {
        "content-type": "application/json",
        "retry-after": "soon",
      }),
      "header retry-after",
    ],
  ])("%s", async (_, spoil, problem) => {
    const error: unknown = await startTester(spoil)
      .listPets()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UndeclaredResponseError);
    const { message, problems } = error as UndeclaredResponseError;
    expect(problems.join()).toContain(problem);
    expect(message).toMatch(/^GET \/v1\/pets: the response \d+ does not match "listPets": /);
  });

  test("a number in a header is a number", async () => {
    const headers = { "content-type": "application/json", "retry-after": "3" };
    const tester = startTester(answering(503, '{"code":"a","message":"b","status":503}', headers));
    expect(await tester.listPets()).toMatchObject({ status: 503 });
  });
});
