import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { verify } from "../../../src/cli/verify/index.js";
import { toContract } from "../../../src/tenon/runtime/contract/to-contract.js";
import { close, listen } from "../../support/http.js";
import { GIVE_UP_MS } from "../../support/until.js";
import { PATIENT } from "./run.js";

const get = (operationId: string) => ({
  get: { operationId, responses: { "200": { description: "Empty." }, "400": { description: "Bad." } } },
});

test.each([
  ["/api/v1", ["/api/files/lists", "/api/v1/pets"]],
  ["/other", ["/files/lists", "/other/pets"]],
])("with %s, operations with their own servers are called at their own base paths", async (path, want) => {
  const contract = toContract({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    servers: [{ url: "https://a.example/v1" }],
    paths: {
      "/pets": get("list"),
      "/lists": { ...get("files"), servers: [{ url: "/files" }] },
    },
  });
  const paths = new Set<string>();
  const server = createServer(({ url = "", method = "" }, response) => {
    if (method === "GET") paths.add(url.split("?", 1)[0] ?? "");
    response.end();
  });
  const port = await listen(server);
  await verify(contract, {
    base: new URL(`http://127.0.0.1:${port}${path}`),
    seed: 1,
    runs: 1,
    limits: PATIENT,
    timeout: GIVE_UP_MS,
    credentials: { keys: new Map(), headers: [] },
  });
  await close(server);
  expect([...paths].sort()).toEqual(want);
});
