import { describe, expect, test } from "@jest/globals";
import { openStore, parseDatabaseUrl } from "../../../src/petstore/store/open.js";
import { loadSqliteDriver } from "../../../src/petstore/store/sqlite/driver.js";
import { StoreOpenError } from "../../../src/petstore/store/store.js";

describe("parseDatabaseUrl", () => {
  test.each([
    ["sqlite:data/petstore.db", { engine: "sqlite", file: "data/petstore.db" }],
    ["sqlite:/var/lib/pets.db", { engine: "sqlite", file: "/var/lib/pets.db" }],
    ["sqlite:///var/lib/pets.db", { engine: "sqlite", file: "///var/lib/pets.db" }],
    ["sqlite::memory:", { engine: "sqlite", file: ":memory:" }],
    ["postgres://user:secret@host/pets", { engine: "postgres", url: "postgres://user:secret@host/pets" }],
    ["postgresql://host/pets", { engine: "postgres", url: "postgresql://host/pets" }],
    ["sqlite:", undefined],
    ["sqlite://data/petstore.db", undefined],
    ["data/petstore.db", undefined],
    ["mysql://host/pets", undefined],
    ["", undefined],
  ])("%s", (url, location) => {
    expect(parseDatabaseUrl(url)).toStrictEqual(location);
  });
});

describe("openStore", () => {
  test("opens SQLite in memory", async () => {
    const store = await openStore("sqlite::memory:");
    await expect(store.ping()).resolves.toBeUndefined();
    await store.close();
  });

  test.each(["postgres://user:secret@[/", "mysql://user:secret@host/pets"])(
    "refuses %s without telling the password",
    async (url) => {
      const error: unknown = await openStore(url).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StoreOpenError);
      expect(String(error)).not.toContain("secret");
    },
  );
});

describe("loadSqliteDriver", () => {
  const driver = { DatabaseSync: Object };
  function fail(): never {
    throw new Error("Cannot find module");
  }

  test.each([
    ["the first source that has one", [() => driver, fail]],
    ["the next one when the first has none", [() => undefined, () => driver]],
    ["the next one when the first fails", [fail, () => driver]],
  ])("takes %s", (_, sources) => {
    expect(loadSqliteDriver(sources)).toBe(driver);
  });

  test("says what to do when there is none", () => {
    expect(() => loadSqliteDriver([() => undefined, fail])).toThrow(StoreOpenError);
    expect(() => loadSqliteDriver([() => undefined, fail])).toThrow(
      /Use Node.js 22.14 or newer, or run "npm install/,
    );
  });
});
