import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { openStore } from "../../src/petstore/store/open.js";
import { Keys } from "../../src/petstore/keys/keys.js";
import type { Answer } from "../support/http.js";
import { callsTo, listAll, startPetStore, type PetJson, type PetStore } from "../support/petstore.js";
import { endProcesses, startProcess } from "../support/petstore-process.js";
import { until } from "../support/until.js";
import { describeEngines } from "./store/engines.js";

const HOUR_MS = 3_600_000;
const pet = { name: "Rex", categoryId: 1, status: "available" };

type Calls = Omit<PetStore, "stop">;

const newKey = (): string => `"${randomUUID()}"`;

/** Adds an animal with an idempotency key. */
function add({ call }: Calls, key: string | string[], body: unknown = pet): Promise<Answer> {
  return call("/v1/pets", { json: body, headers: { "idempotency-key": key } });
}

function isReplay({ headers }: Answer): boolean {
  const told = headers["idempotent-replayed"];
  expect([undefined, "true"]).toContain(told);
  return told === "true";
}

/** Passes when all are the answer to one creation: one of them to the first request, the others to retries. */
function expectOneCreation(answers: readonly Answer[]): void {
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
}

describeEngines((engine) => {
  describe("a creation with an Idempotency-Key", () => {
    let url: string;
    let store: PetStore;
    beforeAll(async () => {
      url = await engine.create();
      store = await startPetStore({ env: { DATABASE_URL: url } });
    });
    afterAll(() => store.stop());

    const count = async (): Promise<number> => (await listAll(store)).length;

    test.each([pet, { name: "", categoryId: -0 }, { name: "🐈‍⬛ \"'\\", categoryId: Number.MAX_SAFE_INTEGER }])(
      "that is sent again gets the first answer, and adds nothing: %j",
      async (body) => {
        const key = newKey();
        const answers = [
          await add(store, key, body),
          await add(store, key, body),
          await add(store, key, body),
        ];
        expectOneCreation(answers);
        const { id } = answers[0]?.json as PetJson;
        expect((await store.call(`/v1/pets/${id}`)).text).toBe(answers[0]?.text);
        // A retry takes no id either.
        expect((await store.create(pet)).id).toBe(id + 1);
      },
    );

    test("the same body is the same animal, however it is written", async () => {
      const key = newKey();
      const first = await add(store, key);
      const body = '{ "status": "available", "owner": "me", "categoryId": 1e0, "n\\u0061me": "Rex" }';
      const headers = { "content-type": "application/json", "idempotency-key": key };
      const second = await store.call("/v1/pets", { method: "POST", headers, body });
      expectOneCreation([first, second]);
    });

    test.each([
      { ...pet, name: "rex" },
      { ...pet, categoryId: 2 },
      { ...pet, status: "sold" },
      { name: "Rex", categoryId: 1 },
    ])("with another body is 422, adds nothing, and leaves the first answer as it was: %j", async (other) => {
      const key = newKey();
      const first = await add(store, key);
      const before = await count();
      expect(await add(store, key, other)).toMatchObject({
        status: 422,
        json: { code: "idempotency_key_reused" },
      });
      expectOneCreation([first, await add(store, key)]);
      expect(await count()).toBe(before);
    });

    test("of another caller is another creation", async () => {
      const key = newKey();
      const keyStore = await openStore(url);
      const { key: apiKey } = await new Keys(keyStore.keys).issue({ name: "other" });
      await keyStore.close();
      const other = callsTo(store.url, apiKey);
      const [first, second] = [await add(store, key), await add(other, key)];
      expect([first.status, second.status]).toStrictEqual([201, 201]);
      expect((second.json as PetJson).id).not.toBe((first.json as PetJson).id);
      expectOneCreation([second, await add(other, key)]);
    });

    test("that was refused is not remembered", async () => {
      const key = newKey();
      expect(await add(store, key, { name: "Rex" })).toMatchObject({ status: 400 });
      expect(
        await store.call("/v1/pets", { json: pet, headers: { "idempotency-key": key }, key: null }),
      ).toMatchObject({ status: 401 });
      expectOneCreation([await add(store, key), await add(store, key)]);
    });

    test.each([
      ["one character", '"a"'],
      ["255 characters", `"${"k".repeat(255)}"`],
      ["what parts other headers", '"a,b; c=d"'],
      ["the ends of every range", '" ~!#[]"'],
      ["blanks around it", ' "a b" '],
    ])("%s is a key", async (_, key) => {
      expectOneCreation([await add(store, key), await add(store, key)]);
    });

    test.each([
      ["nothing", ""],
      ["an empty string", '""'],
      ["no quotation marks", "8e03978e-40d5-43e8-bc93-6894a57f9324"],
      ["apostrophes", "'a'"],
      ["no end", '"a'],
      ["no beginning", 'a"'],
      ["a quotation mark within", '"a"b"'],
      ["an escaped one", '"a\\"b"'],
      ["a backslash", '"a\\b"'],
      ["a parameter", '"a";b=1'],
      ["another character", '"é"'],
      ["a tab", '"a\tb"'],
      ["256 characters", `"${"k".repeat(256)}"`],
      ["thousands of them", `"${"k".repeat(7_000)}`],
      ["two strings", ['"a"', '"b"']],
    ])("%s is no key: 400 names the header, and nothing is added", async (_, key) => {
      const before = await count();
      expect(await add(store, key)).toMatchObject({
        status: 400,
        json: {
          code: "invalid_parameter",
          message: expect.stringMatching(/^Header "Idempotency-Key" must /) as unknown,
        },
      });
      expect(await count()).toBe(before);
    });

    test("that is sent 50 times at once adds one animal", async () => {
      const before = await count();
      const key = newKey();
      expectOneCreation(await Promise.all(Array.from({ length: 50 }, () => add(store, key))));
      expect(await count()).toBe(before + 1);
    });

    test("that is sent at once with two bodies adds the first, and the other is 422", async () => {
      const before = await count();
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => add(store, key, i % 2 === 0 ? pet : { ...pet, name: "Tom" })),
      );
      const added = answers.filter(({ status }) => status === 201);
      expectOneCreation(added);
      expect(added).toHaveLength(25);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(25);
      expect(await count()).toBe(before + 1);
    });

    test("whose answer got lost is found by the retry", async () => {
      const [key, name, before] = [newKey(), randomUUID(), await count()];
      const body = JSON.stringify({ ...pet, name });
      const socket = connect(store.port, "127.0.0.1");
      socket.end(
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${store.key}\r\nIdempotency-Key: ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        () => socket.destroy(),
      );
      await until(async () => (await count()) > before);
      const retry = await add(store, key, { ...pet, name });
      expect([retry.status, isReplay(retry)]).toStrictEqual([201, true]);
      expect((await listAll(store)).filter((kept) => kept.name === name)).toStrictEqual([retry.json]);
    });
  });

  describe("a key is remembered for 24 hours:", () => {
    const start = Date.parse("2026-11-21T12:00:00Z");
    let now: number;
    let url: string;
    let store: PetStore;
    beforeEach(async () => {
      now = start;
      url = await engine.create();
      store = await startPetStore({ env: { DATABASE_URL: url }, now: () => now });
    });
    afterEach(() => store.stop());

    test("a millisecond before their end it is, at their end it adds an animal again", async () => {
      const key = newKey();
      const first = await add(store, key);
      now = start + 24 * HOUR_MS - 1;
      expectOneCreation([first, await add(store, key)]);
      now = start + 24 * HOUR_MS;
      const second = await add(store, key, { ...pet, name: "Tom" });
      expect([second.status, isReplay(second)]).toStrictEqual([201, false]);
      expect(await listAll(store)).toStrictEqual([first.json, second.json]);
    });

    test("also when it is forgotten and not deleted yet", async () => {
      for (const key of ['"a"', '"b"', '"c"', '"d"']) {
        await add(store, key);
        now += 1;
      }
      now += 24 * HOUR_MS;
      const last = await add(store, '"d"');
      expect([last.status, isReplay(last)]).toStrictEqual([201, false]);
      expectOneCreation([last, await add(store, '"d"')]);
    });

    test("afterwards it is deleted: two for each new one, until none is left", async () => {
      const count = async (): Promise<number> =>
        (await engine.query(url, "select key from idempotency_keys")).length;
      await Promise.all(Array.from({ length: 12 }, () => add(store, newKey())));
      expect(await count()).toBe(12);
      now += 24 * HOUR_MS;
      const left: number[] = [];
      for (let added = 0; added < 8; added++) {
        await add(store, newKey());
        left.push(await count());
      }
      expect(left).toStrictEqual([11, 10, 9, 8, 7, 6, 7, 8]);
      await store.create(pet);
      expect(await count()).toBe(8);
    });
  });

  describe("a retry", () => {
    afterEach(endProcesses);
    let url: string;
    let apiKey: string;
    beforeEach(async () => {
      url = await engine.create();
      const store = await openStore(url);
      ({ key: apiKey } = await new Keys(store.keys).issue({ name: "test" }));
      await store.close();
    });

    const start = async (): Promise<Calls & { readonly end: (signal: NodeJS.Signals) => Promise<void> }> => {
      const service = startProcess({ env: { DATABASE_URL: url, LOG_LEVEL: "info" } });
      return {
        ...callsTo(await service.listening(), apiKey),
        async end(signal) {
          service.kill(signal);
          await service.ended();
        },
      };
    };

    test.each(["SIGTERM", "SIGKILL"] as const)(
      "after a restart (%s) gets the first answer",
      async (signal) => {
        const key = newKey();
        const before = await start();
        const first = await add(before, key);
        await before.end(signal);
        expectOneCreation([first, await add(await start(), key)]);
      },
    );

    test("in another process at the same time gets the one answer", async () => {
      const services = await Promise.all([start(), start()]);
      const [one] = services;
      for (let round = 1; round <= 5; round++) {
        const key = newKey();
        const answers = await Promise.all(
          Array.from({ length: 25 }).flatMap(() => services.map((service) => add(service, key))),
        );
        expectOneCreation(answers);
        expect(await listAll(one)).toHaveLength(round);
      }
    });
  });
});
