import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import express, { type Express } from "express";
import { createApi } from "../../../generated/v1/server.js";
import type { Failure, Problem } from "../../../src/tenon/runtime/index.js";
import { close, listen, send } from "../../support/http.js";

const PET = { id: 1, name: "Rex", categoryId: 1 };
const HEADERS = { authorization: "Bearer x", "content-type": "application/json" };

let server: Server;
afterEach(() => close(server));

/** Serves an app into which the Pet Store's API is put somewhere. */
async function serve(mount: (app: Express, api: ReturnType<typeof createApi>) => void) {
  const failures: Failure[] = [];
  const app = express();
  const api = createApi({
    authenticators: { bearerAuth: () => ({}) },
    errorBody: (problem: Problem) => problem,
    onFailure: (failure) => failures.push(failure),
    handlers: {
      listPets: (_, reply) => reply[200]([PET]),
      createPet: ({ body }, reply) => reply[201]({ ...body, id: 1 }),
      getPet: (_, reply) => reply[200](PET),
    },
  });
  mount(app, api);
  server = createServer(app as RequestListener);
  return { port: await listen(server), failures };
}

test("an API that is mounted under a path has its base path below it", async () => {
  const { port } = await serve((app, api) => app.use("/shop", api));
  expect(await send(port, "/shop/v1/pets", { headers: HEADERS })).toMatchObject({ status: 200, json: [PET] });
  expect(await send(port, "/v1/pets", { headers: HEADERS })).toMatchObject({ status: 404 });
});

test("a body parser in front of the API is reported as the cause, not as an invalid body", async () => {
  const { port, failures } = await serve((app, api) => app.use(express.json(), api));
  const body = '{"name":"Rex","categoryId":1}';
  expect(await send(port, "/v1/pets", { method: "POST", headers: HEADERS, body })).toMatchObject({
    status: 500,
  });
  expect(failures.map(({ error }) => (error as Error).message)).toEqual([
    "The body has been read before: body parsers come after the API, and handlers read before they reply",
  ]);
});
