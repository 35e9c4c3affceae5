import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createHttpServer } from "tenon/runtime";
import { createClient } from "../generated/v1/client.ts";
import { createApp, toErrorBody } from "../src/app.ts";

const server = createHttpServer(createApp({ apiKey: "secret" }), { errorBody: toErrorBody });
let baseUrl = "";

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

after(() => {
  server.close();
  server.closeAllConnections();
});

test("returns a created note", async () => {
  const client = createClient({ baseUrl, apiKey: "secret" });
  const { data: created } = await client.createNote({ body: { text: "Buy milk" } });
  assert.deepEqual(created, { id: 1, text: "Buy milk" });
  const { data: read } = await client.getNote({ path: { noteId: 1 } });
  assert.deepEqual(read, created);
});

test("refuses a wrong key", async () => {
  const { error, response } = await createClient({ baseUrl, apiKey: "wrong" }).listNotes();
  assert.equal(response.status, 401);
  assert.equal(error?.code, "unauthorized");
});
