import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { loadConfig } from "../../../src/petstore/config.js";
import { startService, type Service } from "../../../src/petstore/service.js";
import { callsTo, PATIENT, type PetStore } from "../../support/petstore.js";
import { type Agent, connectAgent, NEWEST, post } from "./agent.js";

type Line = Readonly<Record<string, unknown>>;

let service: Service;
let calls: Omit<PetStore, "stop">;
let agent: Agent;
let headers: { readonly Authorization: string };
const lines: Line[] = [];
const toUrl = () => new URL("/mcp", service.url).href;

beforeAll(async () => {
  const config = loadConfig({
    ...{ NODE_ENV: "test", PORT: "0", DATABASE_URL: "sqlite::memory:", LOG_LEVEL: "info" },
    ...{ METRICS_PORT: "0", RATE_LIMIT: "1000/3600s", ...PATIENT },
  });
  const logger = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line) as Line) });
  // The clock stands still: nothing of a rate limit is regained.
  service = await startService({ config, logger, now: () => 0 });
  const { key } = await service.keys.issue({ name: "test" });
  headers = { Authorization: `Bearer ${key}` };
  calls = callsTo(service.url, key);
  agent = await connectAgent(toUrl(), { headers });
});
afterAll(async () => {
  await agent.close();
  await service.stop();
});

test.each(["2025-06-18", "2025-11-25", NEWEST])("revision %s lists and calls the tools", async (revision) => {
  const own = await connectAgent(toUrl(), { headers, revision });
  expect(own.revision).toBe(revision);
  // The tools of a process never change.
  expect(own.capabilities).toEqual({ tools: { listChanged: false } });
  const { tools } = await own.list();
  // getPet is deprecated, and listOrders has no handler.
  expect(tools.map(({ name }) => name)).toEqual(["listPets", "createPet"]);
  const created = await own.call("createPet", { name: "Rex", categoryId: 1 });
  expect(created.structuredContent).toMatchObject({ status: 201, body: { name: "Rex", categoryId: 1 } });
  await own.close();
});

test("hints are those of the methods", async () => {
  const { tools } = await agent.list();
  expect(tools.map(({ annotations }) => annotations)).toEqual([
    {
      title: "List all animals",
      ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      title: "Add an animal",
      ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
  ]);
});

test("pages have the arguments of the next", async () => {
  await calls.create({ name: "A", categoryId: 1 });
  await calls.create({ name: "B", categoryId: 1 });
  const first = await agent.call("listPets", { limit: 1 });
  const next = first.structuredContent?.["next"] as Record<string, unknown>;
  expect(next).toEqual({ limit: 1, cursor: expect.any(String) as unknown });
  expect(first.text).toContain(`call again with ${JSON.stringify(next)}`);
  const second = await agent.call("listPets", next);
  expect(second.structuredContent?.["body"]).not.toEqual(first.structuredContent?.["body"]);
});

describe("the same request by HTTP and by tool", () => {
  const samples = [
    ["listPets", { limit: 2 }, "/v1/pets?limit=2", undefined],
    ["listPets", { limit: 500, status: "gone" }, "/v1/pets?limit=500&status=gone", undefined],
    ["createPet", { name: "Rex", categoryId: 7 }, "/v1/pets", { name: "Rex", categoryId: 7 }],
    ["createPet", { name: "", categoryId: "x" }, "/v1/pets", { name: "", categoryId: "x" }],
    [
      "createPet",
      { name: "One", categoryId: 9007199254740991 },
      "/v1/pets",
      { name: "One", categoryId: 9007199254740991 },
    ],
  ] as const;

  /** What a request leaves behind, without what differs for each. */
  const record = async (send: () => Promise<unknown>) => {
    const before = [lines.length, await count()] as const;
    const answer = await send();
    const own = lines.slice(before[0]).filter(({ path }) => path === "/v1/pets");
    const after = await count();
    const counted = [...after].filter(([name, value]) => before[1].get(name) !== value);
    return {
      answer,
      lines: own.map((line) => ({ ...line, time: 0, durationMs: 0, requestId: "" })),
      counted: counted.map(([name, value]) => [name, value - (before[1].get(name) ?? 0)]),
    };
  };
  const count = async () => {
    const [metrics] = await service.measure();
    const text = JSON.stringify(metrics);
    const all = JSON.parse(text) as readonly {
      name: string;
      values: { labels: object; value: number }[];
    }[];
    const requests = all.find(({ name }) => name === "petstore_requests_total");
    return new Map(
      (requests?.values ?? [])
        .filter(({ labels }) => /pets|Pet/.test(JSON.stringify(labels)))
        .map(({ labels, value }) => [JSON.stringify(labels), value]),
    );
  };
  const withoutId = (body: unknown) => JSON.stringify(body).replace(/"id":\d+/, `"id":0`);

  test.each(samples)("%s %j: status, body, log line, metric", async (name, args, path, json) => {
    const byHttp = await record(async () => {
      const { status, json: body } = await calls.call(path, json === undefined ? {} : { json });
      return { status, body: withoutId(body) };
    });
    const byTool = await record(async () => {
      const { structuredContent: found } = await agent.call(name, args);
      return { status: found?.status, body: withoutId(found?.["body"] ?? found?.["error"]) };
    });
    expect(byHttp.lines).toHaveLength(1);
    expect(byHttp.counted).toHaveLength(1);
    expect(byTool).toEqual(byHttp);
  });

  test("both count for the limit of the key", async () => {
    const remaining = async () => {
      const { headers: found } = await calls.call("/v1/pets?limit=1");
      return Number(/r=(\d+)/.exec(String(found["ratelimit"]))?.[1]);
    };
    const before = await remaining();
    await agent.call("listPets", { limit: 1 });
    // A call that is refused counts as it does over HTTP.
    await agent.call("listPets", { limit: 0 });
    expect(await remaining()).toBe(before - 3);
  });
});

test("what is wrong names the argument to change", async () => {
  const { isError, text } = await agent.call("listPets", { limit: 500, status: "gone" });
  expect(isError).toBe(true);
  expect(text).toMatch(/Change the argument "limit": it must be at most 100\./);
  expect(text).toContain('Change the argument "status"');
});

test("an argument that there is not is named, with those that there are", async () => {
  const { isError, text } = await agent.call("listPets", { petId: 1 });
  expect(isError).toBe(true);
  expect(text).toMatch(/There is no argument "petId".*limit/);
});

test("operations that are no tools cannot be called", async () => {
  await expect(agent.call("getPet", { petId: 1 })).rejects.toThrow('There is no tool "getPet"');
  await expect(agent.call("listOrders")).rejects.toThrow('There is no tool "listOrders"');
});

describe("refused before anything is answered", () => {
  test.each([
    ["without a key", {}],
    ["with another key", { Authorization: "Bearer petstore_wrong" }],
  ])("%s: 401 with a challenge", async (_, own) => {
    for (const method of ["initialize", "server/discover", "tools/list", "tools/call"]) {
      const response = await post(toUrl(), method, { name: "listPets", arguments: {} }, own);
      expect([method, response.status]).toEqual([method, 401]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
      expect(await response.json()).toMatchObject({ code: "unauthorized", status: 401 });
    }
  });

  test("a page of another origin: 403; of this machine: answered", async () => {
    const ask = (Origin: string) => post(toUrl(), "tools/list", {}, { ...headers, Origin });
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example", "http://[::1"])
      expect([origin, (await ask(origin)).status]).toEqual([origin, 403]);
    expect((await ask("http://localhost:6274")).status).toBe(200);
  });

  test("a key that was revoked since", async () => {
    const { key, id } = await service.keys.issue({ name: "other" });
    const own = { Authorization: `Bearer ${key}` };
    expect((await post(toUrl(), "tools/list", {}, own)).status).toBe(200);
    await service.keys.revoke(id);
    expect((await post(toUrl(), "tools/list", {}, own)).status).toBe(401);
  });
});

test("neither the log nor a result has a key", async () => {
  const { text, structuredContent } = await agent.call("listPets", { limit: 1 });
  const key = headers.Authorization.slice("Bearer ".length);
  expect(`${text}${JSON.stringify(structuredContent)}${JSON.stringify(lines)}`).not.toContain(key);
});
