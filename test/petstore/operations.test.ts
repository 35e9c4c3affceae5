import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import request from "supertest";
import { parse } from "yaml";
import { expectErrorBody } from "../support/error-body.js";
import { startPetStore, type PetStore } from "../support/petstore.js";

let store: PetStore;
beforeAll(async () => {
  store = await startPetStore({ env: { PUBLIC_URL: "https://pets.example/shop" } });
});
afterAll(() => store.stop());

const PATHS = ["/healthz", "/readyz", "/openapi.json", "/openapi.yaml", "/docs/"];

describe("what operators and readers ask", () => {
  test.each(PATHS)("GET and HEAD %s need no key", async (path) => {
    const get = await request(store.url).get(path).expect(200);
    const head = await request(store.url).head(path).expect(200);
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    expect(get.headers["x-content-type-options"]).toBe("nosniff");
  });

  test.each(PATHS)("no other method works on %s", async (path) => {
    for (const method of ["post", "put", "delete", "patch", "options"] as const) {
      const answer = await request(store.url)[method](path).expect(405).expect("Allow", "GET, HEAD");
      expectErrorBody({
        status: 405,
        headers: answer.headers,
        json: answer.body as unknown,
      });
    }
  });

  test("health and readiness", async () => {
    await request(store.url).get("/healthz").expect(200, { status: "ok" });
    await request(store.url).get("/readyz").expect(200, { status: "ready" });
  });

  test("the contract, in JSON and YAML, with the address of this service", async () => {
    const json = await request(store.url)
      .get("/openapi.json")
      .expect("Content-Type", /^application\/json/);
    const yaml = await request(store.url)
      .get("/openapi.yaml")
      .buffer(true)
      .expect("Content-Type", /^application\/yaml/);
    expect(json.body).toMatchObject({
      openapi: "3.1.0",
      servers: [{ variables: { base_url: { default: "https://pets.example/shop/v1" } } }, {}],
    });
    expect(parse(yaml.text)).toStrictEqual(json.body);
  });
});
