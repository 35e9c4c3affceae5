import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createClient } from "../../fixtures/petlike/generated/client.js";

describe("generated client", () => {
  const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  let baseUrl: string;

  const server = createServer(({ url, headers }, response) => {
    seen.push({ url, headers });
    const found = url === "/v1/pets/1";
    response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" });
    const missing = { code: "pet_not_found", message: "No such animal.", status: 404 };
    response.end(JSON.stringify(found ? { id: 1, name: "Rex", categoryId: 1 } : missing));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, resolve));
    baseUrl = `http://localhost:${(server.address() as AddressInfo).port}/v1`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test("resolves to data of a success and to error of anything else, typed by the contract", async () => {
    const client = createClient({ baseUrl });
    const found = await client.GET("/pets/{petId}", { params: { path: { petId: 1 } } });
    expect(found.data?.name).toBe("Rex");
    const missing = await client.GET("/pets/{petId}", { params: { path: { petId: 2 } } });
    expect(missing.error?.code).toBe("pet_not_found");
    expect(seen.at(-1)?.headers.authorization).toBeUndefined();
  });

  test("sends the API key and other headers with every call", async () => {
    const client = createClient({ baseUrl, apiKey: "secret", headers: { "X-Trace": "1" } });
    await client.GET("/pets", { params: { query: { limit: 10, status: "sold" } } });
    expect(seen.at(-1)).toMatchObject({
      url: "/v1/pets?limit=10&status=sold",
      headers: { authorization: "Bearer secret", "x-trace": "1" },
    });
  });

  test("does not compile with what the contract does not declare", () => {
    const client = createClient({ baseUrl });
    const calls = [
      // @ts-expect-error there is no such path
      () => client.GET("/nothing"),
      // @ts-expect-error petId is required
      () => client.GET("/pets/{petId}"),
      // @ts-expect-error a new pet needs a categoryId
      () => client.POST("/pets", { body: { name: "Rex" } }),
    ];
    expect(calls).toHaveLength(3);
  });

  test("uses the fetch that it is given", async () => {
    const requests: string[] = [];
    const fetch = (request: Request) => {
      requests.push(request.url);
      return Promise.resolve(Response.json([]));
    };
    const { data } = await createClient({ baseUrl: "https://petstore.example/v1", fetch }).GET("/pets");
    expect(data).toEqual([]);
    expect(requests).toEqual(["https://petstore.example/v1/pets"]);
  });
});
