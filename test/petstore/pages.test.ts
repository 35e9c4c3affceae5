import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startPetStore, type PetJson, type PetStore } from "../support/petstore.js";
import { describeEngines } from "./store/engines.js";

const STATUSES = ["available", "pending", "sold", undefined] as const;
const COUNT = 130;

describeEngines((engine) => {
  let store: PetStore;
  let pets: readonly PetJson[];
  beforeAll(async () => {
    store = await startPetStore({ env: { DATABASE_URL: await engine.create() } });
    const creations = Array.from({ length: COUNT }, (_, index) => {
      const status = STATUSES[index % STATUSES.length];
      return store.create({ name: `pet ${index}`, categoryId: index, ...(status && { status }) });
    });
    pets = (await Promise.all(creations)).sort((a, b) => a.id - b.id);
  });
  afterAll(() => store.stop());

  /** The target of a page's `rel="next"`; undefined on the last page. */
  function nextOf(link: string | undefined): string | undefined {
    return link === undefined ? undefined : /^<(?<target>[^>]+)>; rel="next"$/.exec(link)?.groups?.["target"];
  }

  async function page(path: string, from = store) {
    const { status, json, headers, text } = await from.call(path);
    expect(status).toBe(200);
    const link = headers["link"] as string | undefined;
    expect(nextOf(link) === undefined).toBe(link === undefined);
    return { pets: json as readonly PetJson[], next: nextOf(link), bytes: Buffer.byteLength(text) };
  }

  /** Every page from the first on, by following the links. */
  async function walk(path: string): Promise<(readonly PetJson[])[]> {
    const pages: (readonly PetJson[])[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const found = await page(next);
      pages.push(found.pets);
      next = found.next;
    }
    return pages;
  }

  describe("a page", () => {
    test("has 20 animals unless limit says otherwise, 1 to 100", async () => {
      expect((await page("/v1/pets")).pets).toStrictEqual(pets.slice(0, 20));
      expect((await page("/v1/pets?limit=1")).pets).toStrictEqual(pets.slice(0, 1));
      expect((await page("/v1/pets?limit=100")).pets).toStrictEqual(pets.slice(0, 100));
    });

    test.each(["available", "pending", "sold"])("of status %s has only such animals", async (status) => {
      const { pets: found } = await page(`/v1/pets?limit=100&status=${status}`);
      expect(found).toStrictEqual(pets.filter((pet) => pet.status === status));
      expect(found.length).toBeGreaterThan(30);
    });

    test("that ends with the last animal has no link", async () => {
      const sold = pets.filter(({ status }) => status === "sold").length;
      expect((await page(`/v1/pets?status=sold&limit=${sold}`)).next).toBeUndefined();
      expect((await page(`/v1/pets?status=sold&limit=${sold - 1}`)).next).toBeDefined();
    });
  });

  describe("following the links", () => {
    test.each([
      ["", 20],
      ["?limit=7", 7],
      ["?limit=100", 100],
      ["?limit=13&status=pending", 13],
      ["?status=available", 20],
    ])("from /pets%s sees each animal once, in order", async (query, limit) => {
      const status = /status=(\w+)/.exec(query)?.[1];
      const pages = await walk(`/v1/pets${query}`);
      expect(pages.flat()).toStrictEqual(pets.filter((pet) => status === undefined || pet.status === status));
      expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      expect(pages.length).toBe(Math.ceil(pages.flat().length / limit));
    });

    test("keeps limit and status", async () => {
      const { next } = await page("/v1/pets?status=sold&limit=5");
      const { pathname, searchParams } = new URL(next ?? "", store.url);
      expect(pathname).toBe("/v1/pets");
      expect([...searchParams.keys()].sort()).toStrictEqual(["cursor", "limit", "status"]);
      expect([searchParams.get("limit"), searchParams.get("status")]).toStrictEqual(["5", "sold"]);
    });

    test("does not stumble over animals that are added meanwhile", async () => {
      const seen: PetJson[] = [];
      const added: PetJson[] = [];
      for (let next: string | undefined = "/v1/pets?limit=50"; next !== undefined;) {
        const found = await page(next);
        seen.push(...found.pets);
        if (found.next !== undefined) added.push(await store.create({ name: "new", categoryId: 1 }));
        next = found.next;
      }
      expect(added.length).toBeGreaterThan(1);
      expect(seen).toStrictEqual([...pets, ...added]);
      pets = seen;
    });
  });

  describe("a cursor that this service did not issue is 400:", () => {
    const refused = async (cursor: string): Promise<void> => {
      const answer = await store.call(`/v1/pets?cursor=${encodeURIComponent(cursor)}`);
      expect([cursor, answer.status, answer.json]).toMatchObject([
        cursor,
        400,
        { code: "invalid_parameter" },
      ]);
    };
    const issued = async (): Promise<string> => {
      const { next } = await page("/v1/pets?limit=10");
      return new URL(next ?? "", store.url).searchParams.get("cursor") ?? "";
    };

    test.each([
      "",
      "0",
      "10",
      "MTA",
      "MTE=",
      "LTE",
      "MA",
      "MS41",
      "MWUx",
      "OTAwNzE5OTI1NDc0MDk5Mg",
      "{}",
      "'; drop table pets",
      "null",
      "a b",
      "x".repeat(100),
    ])("%s", refused);

    test("one that was issued, with a character changed, added or left out", async () => {
      const cursor = await issued();
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      for (let index = 0; index < cursor.length; index += 1) {
        const [before, at, after] = [cursor.slice(0, index), cursor.charAt(index), cursor.slice(index + 1)];
        const other = alphabet.charAt((alphabet.indexOf(at) + 1) % alphabet.length);
        for (const tampered of [before + other + after, before + after, `${before}A${at}${after}`]) {
          if (tampered !== cursor) await refused(tampered);
        }
      }
      await refused(`${cursor}=`);
      await refused(`${cursor}A`);
    });

    test("two at once", async () => {
      const cursor = await issued();
      const answer = await store.call(`/v1/pets?cursor=${cursor}&cursor=${cursor}`);
      expect(answer).toMatchObject({ status: 400, json: { code: "invalid_parameter" } });
    });
  });

  describe("a page of long names", () => {
    let from: PetStore;
    const created: PetJson[] = [];
    beforeAll(async () => {
      const env = { DATABASE_URL: await engine.create(), BODY_LIMIT_BYTES: "4194304" };
      from = await startPetStore({ env });
      // Each byte of the second name is six in JSON; the fourth is longer than a page.
      const names = [
        "x".repeat(90_000),
        "\u0001".repeat(16_000),
        "\u{1f415}".repeat(20_000),
        "y".repeat(2_000_000),
      ];
      for (let index = 0; index < 60; index += 1) {
        const name = index === 40 ? names[3] : index % 5 === 4 ? "Rex" : names[index % 3];
        created.push(await from.create({ name, categoryId: index, status: index % 2 ? "sold" : "pending" }));
      }
    });
    afterAll(() => from.stop());

    test.each(["limit=100", "limit=17", "limit=100&status=sold"])("ends early: %s", async (query) => {
      const found: PetJson[] = [];
      for (let next: string | undefined = `/v1/pets?${query}`; next !== undefined;) {
        const one = await page(next, from);
        if (one.pets.length > 1) expect(one.bytes).toBeLessThanOrEqual(1_048_576);
        found.push(...one.pets);
        next = one.next;
      }
      expect(found).toStrictEqual(
        created.filter(({ status }) => !query.includes("sold") || status === "sold"),
      );
    });
  });
});
