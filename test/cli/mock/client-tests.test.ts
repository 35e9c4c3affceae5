// @slow: waits for delayed responses.
import { describe, expect, test } from "@jest/globals";
import { createFaultInjection } from "../../../src/cli/mock/injection.js";
import { send } from "../../support/http.js";
import { loadRouted, serve, toDocument, toRouted } from "./serve.js";

const PETS = { headers: { Authorization: "Bearer any" } };

describe("errors for clients to live with", () => {
  test("are those that the operation declares, in their share, the same for the same seed", async () => {
    const contract = await loadRouted("openapi/v1.yaml");
    const ask = async (seed: string, errors: number): Promise<readonly number[]> => {
      const mock = await serve(contract, { seed, errors });
      const statuses: number[] = [];
      try {
        for (let count = 0; count < 100; count += 1) {
          const { status, headers, json } = await send(mock.port, "/v1/pets", PETS);
          statuses.push(status);
          expect(String(headers["retry-after"])).toMatch(status === 429 || status === 503 ? /^\d+$/ : /^/);
          expect(status === 200 ? { status } : json).toMatchObject({ status });
        }
      } finally {
        await mock.stop();
      }
      return statuses;
    };
    const some = await ask("a", 0.3);
    expect(new Set(some)).toEqual(new Set([200, 429, 500, 503]));
    const failed = some.filter((status) => status !== 200).length;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(60);
    expect(await ask("a", 0.3)).toEqual(some);
    expect(await ask("b", 0.3)).not.toEqual(some);
    expect(new Set(await ask("a", 1)).has(200)).toBe(false);
  });

  test("are not made where none is declared, nor for a request that says what it wants", async () => {
    const plain = await serve(toRouted(toDocument([{ type: "integer" }])), { errors: 1 });
    const pets = await serve(await loadRouted("openapi/v1.yaml"), { errors: 1 });
    try {
      expect((await send(plain.port, "/0")).status).toBe(200);
      expect((await send(pets.port, "/v1/pets?__code=200", PETS)).status).toBe(200);
    } finally {
      await plain.stop();
      await pets.stop();
    }
  });
});

test("answers wait as long as they are told to", async () => {
  const mock = await serve(toRouted(toDocument([{ type: "integer" }])), { delay: [60, 80] });
  try {
    const start = performance.now();
    expect((await send(mock.port, "/0")).status).toBe(200);
    // Timers count in whole milliseconds.
    expect(performance.now() - start).toBeGreaterThan(58);
  } finally {
    await mock.stop();
  }
});

test("without fault injection there is no delay and no error", async () => {
  const injection = createFaultInjection({ seed: "1" });
  await injection.delay();
  expect(injection.choose({ responses: [{ status: "500" }] } as never)).toBeUndefined();
});

describe("a browser's page of another origin", () => {
  const headers = { Origin: "http://localhost:5173" };
  const preflight = {
    method: "OPTIONS",
    headers: {
      ...headers,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type",
    },
  };

  test("may call the mock where that is asked for", async () => {
    const mock = await serve(await loadRouted("openapi/v1.yaml"), { cors: true });
    try {
      const allowed = await send(mock.port, "/v1/pets", preflight);
      expect(allowed.status).toBe(204);
      expect(allowed.headers).toMatchObject({
        "access-control-allow-origin": headers.Origin,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "authorization,content-type",
      });
      const answer = await send(mock.port, "/v1/pets", { headers: { ...PETS.headers, ...headers } });
      expect(answer.headers["access-control-allow-origin"]).toBe(headers.Origin);
      expect(answer.headers["access-control-expose-headers"]).toMatch(/Tenon-Mock.*Idempotent-Replayed/);
      const refused = await send(mock.port, "/v1/pets", { headers });
      expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([401, headers.Origin]);
      expect((await send(mock.port, "/v1/pets", { method: "OPTIONS", headers })).headers.allow).toMatch(
        /POST/,
      );
    } finally {
      await mock.stop();
    }
  });

  test("may not otherwise", async () => {
    const mock = await serve(await loadRouted("openapi/v1.yaml"));
    try {
      const { headers: answered } = await send(mock.port, "/v1/pets", preflight);
      expect(answered["access-control-allow-origin"]).toBeUndefined();
    } finally {
      await mock.stop();
    }
  });
});

test("paths that the contract has not are told in its own error body", async () => {
  const mock = await serve(await loadRouted("openapi/v1.yaml"));
  try {
    for (const path of ["/v1/cats", "/elsewhere"]) {
      const { status, json } = await send(mock.port, path);
      expect([status, json]).toEqual([
        404,
        { code: "not_found", message: expect.any(String) as unknown, status: 404 },
      ]);
    }
    const { status, headers } = await send(mock.port, "/v1/pets", { method: "PATCH" });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD, OPTIONS, POST"]);
  } finally {
    await mock.stop();
  }
});
