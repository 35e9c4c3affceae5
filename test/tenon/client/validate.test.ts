import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { InvalidResponseError, validateResponses } from "tenon/client";
import { createClient } from "../../fixtures/petlike/generated/client.js";
import { listPetsResponses, responses } from "../../fixtures/petlike/generated/schemas.js";
import { close, listen } from "../../support/http.js";

const REX = { id: 1, name: "Rex", categoryId: 1 };
const NEW_PET = { body: { name: "Rex", categoryId: 1 } };
let server: Server;
let baseUrl: string;
let reply: { readonly status: number; readonly body: unknown };
let requests = 0;

beforeAll(async () => {
  server = createServer((_, response) => {
    requests += 1;
    response
      .writeHead(reply.status, { "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(reply.body));
  });
  baseUrl = `http://127.0.0.1:${await listen(server)}/v1`;
});

afterAll(() => close(server));

test("rejects an invalid response, with the operation, the status and the value's place", async () => {
  const client = createClient({ baseUrl, apiKey: "key", validate: validateResponses(responses) });
  reply = { status: 200, body: [REX, { id: "2", name: "Ida" }] };
  requests = 0;
  const error: unknown = await client.listPets().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidResponseError);
  expect(error).toMatchObject({
    message: "The response 200 of listPets is invalid: /1/categoryId is required; /1/id must be an integer",
    operationId: "listPets",
    status: 200,
    problems: [
      { pointer: "/1/categoryId", message: "is required" },
      { pointer: "/1/id", message: "must be an integer" },
    ],
  });
  // The service would send the same again.
  expect(requests).toBe(1);
});

test("validates error bodies too", async () => {
  const client = createClient({ baseUrl, apiKey: "key", validate: validateResponses(responses) });
  reply = { status: 400, body: { code: 7 } };
  await expect(client.createPet(NEW_PET)).rejects.toThrow("The response 400 of createPet is invalid");
});

test("resolves to a valid response", async () => {
  const client = createClient({ baseUrl, apiKey: "key", validate: validateResponses(responses) });
  reply = { status: 200, body: [REX] };
  expect(await client.listPets().orThrow()).toEqual([REX]);
});

test("validates the operations that it has validators for, and none by default", async () => {
  reply = { status: 201, body: { id: "2" } };
  const some = createClient({
    baseUrl,
    apiKey: "key",
    validate: validateResponses({ listPets: listPetsResponses }),
  });
  expect(await some.createPet(NEW_PET).orThrow()).toEqual({ id: "2" });
  reply = { status: 200, body: { id: "2" } };
  await expect(some.listPets()).rejects.toThrow("of listPets is invalid: the body must be an array");
  const none = createClient({ baseUrl, apiKey: "key" });
  expect(await none.listPets().orThrow()).toEqual({ id: "2" });
});

test("takes any validator that implements Standard Schema", async () => {
  const validate = async () =>
    Promise.resolve({ issues: [{ message: "is wrong", path: [{ key: "a/b" }, 0] }] });
  const client = createClient({
    baseUrl,
    apiKey: "key",
    validate: validateResponses({
      createPet: { "2XX": { "application/json": { "~standard": { validate } } } },
    }),
  });
  reply = { status: 201, body: REX };
  await expect(client.createPet(NEW_PET)).rejects.toMatchObject({
    problems: [{ pointer: "/a~1b/0", message: "is wrong" }],
  });
});
