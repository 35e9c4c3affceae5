import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { KeyError, Keys } from "../../src/petstore/keys/keys.js";
import { createDirectory } from "../support/directory.js";
import { sendRaw } from "../support/http.js";
import { listAll, startPetStore, type PetStore } from "../support/petstore.js";
import { endProcesses, startServing } from "../support/petstore-process.js";
import { describeEngines } from "../petstore/store/engines.js";

const SQL = [
  "' or '1'='1",
  "'; drop table pets; --",
  '"; drop table api_keys; --',
  "1; delete from pets",
  "1 or 1=1",
  "\\'; select pg_sleep(10); --",
  "$1",
  "$$; drop table pets; $$",
  "?",
  ":id",
  "%' union select id, hash from api_keys --",
  "E'\\x27'",
  "/* */",
  "{1,2}",
  "NULL",
];

describeEngines((engine) => {
  let store: PetStore;
  let url: string;
  beforeAll(async () => {
    url = await engine.create();
    store = await startPetStore({ env: { DATABASE_URL: url, FAILED_AUTH_LIMIT: "off" } });
  });
  afterAll(() => store.stop());

  test.each(SQL)("SQL in every text that a caller may send is that text: %s", async (text) => {
    const encoded = encodeURIComponent(text);
    const before = await listAll(store);
    for (const [path, status] of [
      [`/v1/pets/${encoded}`, 400],
      [`/v1/pets?limit=${encoded}`, 400],
      [`/v1/pets?status=${encoded}`, 400],
      [`/v1/pets?cursor=${encoded}`, 400],
      [`/v1/pets?${encoded}=1`, 400],
      [`/v1/${encoded}`, 404],
    ] as const) {
      expect([path, (await store.call(path)).status]).toStrictEqual([path, status]);
    }
    const wrong = { name: text, categoryId: text, status: text };
    expect((await store.call("/v1/pets", { json: wrong })).status).toBe(400);
    expect(
      (await store.call("/v1/pets", { key: null, headers: { authorization: `Bearer ${text}` } })).status,
    ).toBe(401);
    const created = await store.create({ name: text, categoryId: 1 });
    expect(created.name).toBe(text);
    expect(await listAll(store)).toStrictEqual([...before, created]);
    const opened = await engine.open(url);
    const keys = new Keys(opened.keys);
    for (const change of [keys.rotate(text), keys.revoke(text), keys.history(text)])
      await expect(change).rejects.toThrow(KeyError);
    const { id } = await keys.issue({ name: text });
    expect((await keys.list()).find((key) => key.id === id)?.name).toBe(text);
    await opened.close();
  });

  test("text is kept as it was written: composed and decomposed letters stay two texts", async () => {
    const names = ["\u00e9", "e\u0301", "\u212b", "\u00c5", "\ufb01", "\u202eabc", "\u200b", "\ufeffx"];
    for (const name of names) {
      const { id } = await store.create({ name, categoryId: 1 });
      expect((await store.call(`/v1/pets/${id}`)).json).toMatchObject({ name });
    }
  });

  test("a database that fails tells the caller nothing of itself", async () => {
    for (const table of ["pets", "api_keys"]) {
      await engine.query(url, `alter table ${table} rename to hidden`);
      const answers = [
        await store.call("/v1/pets", { headers: { "x-request-id": "leak" } }),
        await store.call("/v1/pets/1"),
        await store.call("/v1/pets?status=sold"),
        await store.call("/v1/pets", { json: { name: "Rex", categoryId: 1 } }),
        await store.call("/v1/store/orders"),
      ];
      await engine.query(url, `alter table hidden rename to ${table}`);
      const failed = answers.filter(({ status }) => status === (engine.name === "sqlite" ? 500 : 503));
      // PostgreSQL remembers keys that were found for a while.
      expect(failed.length).toBeGreaterThanOrEqual(table === "pets" ? 4 : engine.name === "sqlite" ? 5 : 0);
      for (const { text, headers } of failed) {
        expect(text).toBe(
          engine.name === "sqlite"
            ? '{"code":"internal_error","message":"The service failed to process this request","status":500}'
            : '{"code":"unavailable","message":"The service is unavailable; try again later","status":503}',
        );
        expect(JSON.stringify(headers)).not.toMatch(/hidden|pets where|select|sqlite|postgres|\.ts|\.js/i);
      }
    }
  });
});

describe("prototypes", () => {
  let store: PetStore;
  beforeAll(async () => {
    store = await startPetStore({ env: { FAILED_AUTH_LIMIT: "off" } });
  });
  afterAll(() => store.stop());

  const before = Object.getOwnPropertyNames(Object.prototype).sort();

  test.each([
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "__defineGetter__",
    "valueOf",
  ])("%s is a name like any other, wherever it stands", async (name) => {
    for (const query of [
      `${name}=1`,
      `${name}[limit]=1`,
      `${name}.limit=1`,
      `limit[${name}]=1`,
      `constructor[prototype][${name}]=1`,
    ]) {
      expect([query, (await store.call(`/v1/pets?${query}`)).status]).toStrictEqual([query, 400]);
    }
    for (const path of [`/v1/${name}`, `/${name}`, `/docs/${name}`, `/v1/pets/1/${name}`])
      expect([path, (await store.call(path)).status]).toStrictEqual([path, 404]);
    for (const value of ["status", "cursor"])
      expect((await store.call(`/v1/pets?${value}=${name}`)).status).toBe(400);
    expect((await store.call(`/v1/pets/${name}`)).status).toBe(400);
    expect((await store.call("/v1/pets", { key: name })).status).toBe(401);
    expect((await store.call("/v1/pets", { key: null, headers: { [name]: "Bearer x" } })).status).toBe(401);
    const raw = `{"${name}":{"polluted":1,"status":"sold"},"name":"${name}","categoryId":1}`;
    const headers = { "content-type": "application/json" };
    const created = await store.call("/v1/pets", { method: "POST", headers, body: raw });
    expect(created).toMatchObject({ status: 201 });
    expect(created.json).toStrictEqual({ id: expect.any(Number) as unknown, name, categoryId: 1 });
    const empty = `{"${name}":{"name":"x","categoryId":1}}`;
    expect((await store.call("/v1/pets", { method: "POST", headers, body: empty })).status).toBe(400);
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toStrictEqual(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("header injection: what is sent back of a request has no line break", async () => {
    const evil = "%0d%0aSet-Cookie:%20a=b";
    for (const target of [
      `/docs?${evil}`,
      `/docs?\u2028${evil}`,
      `/v1/pets?status=${evil}`,
      `/v1/pets?cursor=${evil}`,
    ]) {
      const answer = await sendRaw(
        store.port,
        `GET ${encodeURI(decodeURI(target)).replaceAll("%0D%0A", "%0d%0a")} HTTP/1.1\r\nHost: x${evil}\r\nConnection: close\r\n` +
          `Authorization: Bearer ${store.key}\r\nOrigin: https://x${evil}\r\nX-Request-Id: x${evil}\r\n\r\n`,
      );
      expect(answer.split("\r\n\r\n")[0]).not.toMatch(/^set-cookie/im);
    }
  });

  test.each([
    ["a bare CR in a header", "A: b\rSet-Cookie: c\r\n"],
    ["a NUL in a header", "A: b\0c\r\n"],
    ["a header that goes on in the next line", "A: b\r\n c\r\n"],
    ["a header without a name", ": b\r\n"],
  ])("%s is refused or harmless", async (_, header) => {
    const answer = await sendRaw(
      store.port,
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[01] /);
    expect(answer).not.toMatch(/^set-cookie/im);
  });
});

describe("the log", () => {
  afterAll(endProcesses);

  test("has a line of JSON for each request and no control character, whatever a path, a key or a body holds", async () => {
    const file = join(createDirectory(), "pets.db");
    const service = await startServing({ env: { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: "trace" } });
    const { call, port, key } = service.calls;
    const evil = ["%0d%0a", "%1b%5b2J", "%00", "%E2%80%A8", "%c2%9b31m", '"}\\n{"level":60', "%7f"];
    const before = service.out.length;
    for (const text of evil) {
      const safe = text.replace(/["\\{}]/g, encodeURIComponent);
      await call(`/v1/pets/${safe}`);
      await call(`/${safe}?${safe}`);
      await call("/v1/pets", { key: null, headers: { authorization: `Bearer ${text}`, "user-agent": text } });
      await call("/v1/pets", { json: { name: decodeURIComponent(safe), categoryId: text } });
    }
    for (const bytes of ["\x1b[31m", "\u009b", "\r", "\n", "\0", "\u2028"])
      await sendRaw(
        port,
        `GET /v1/${bytes}x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
    service.kill("SIGTERM");
    await service.ended();
    const lines = service.out.slice(before);
    expect(lines.length).toBeGreaterThan(evil.length * 4);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) as unknown, pid: service.pid });
      // eslint-disable-next-line no-control-regex -- They are what must not be there.
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    }
    expect(lines.filter((line) => line.includes('"level":60'))).toStrictEqual([]);
  });
});
