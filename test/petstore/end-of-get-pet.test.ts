/*
 * The contract says of getPet that it is deprecated since 21 November 2026, goes on 5 December 2030, and that listPets replaces it.
 * That is one fact. Here is what everybody gets of it who reads the contract, calls the service, or works on either, with the clock
 * set to the eve of that day and to its first instant.
 */
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { parse, stringify } from "yaml";
import { runTenon } from "../../src/cli/commands/program.js";
import { readLifecycle } from "../../src/tenon/core/document/lifecycle.js";
import { startPetStore, type OwnPetStore } from "../support/petstore.js";
import { createProject } from "../cli/load/project.js";
import { findChromium, launch, openPage } from "../support/chromium.js";
import { problemsOf } from "../cli/lint/problems-of.js";

const EVE = "2030-12-04T23:59:59Z";
const DAY = "2030-12-05T00:00:00Z";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const CONTRACT = read("openapi/v1.yaml");

let now = Date.parse(EVE);
let store: OwnPetStore;
let pet: string;

beforeAll(async () => {
  store = await startPetStore({ now: () => now, env: { METRICS_PORT: "0" } });
  const { id } = await store.create({ name: "Rex", categoryId: 1, status: "sold" });
  pet = `/v1/pets/${id}`;
});
afterAll(() => store.stop());

const setClock = (instant: string) => {
  now = Date.parse(instant);
};

test("the contract says it once, in four lines", () => {
  const { paths } = parse(CONTRACT) as { paths: Record<string, Record<string, object>> };
  expect(readLifecycle(paths["/pets/{petId}"]?.["get"] ?? {})).toEqual({
    deprecated: true,
    since: Date.parse("2026-11-21T00:00:00Z"),
    sunset: Date.parse(DAY),
    replacedBy: "listPets",
    stability: "stable",
  });
});

describe("who writes code against it", () => {
  const END = "Since 2026-11-21. Removed on 2030-12-05. Use listPets: GET /pets.";

  test("sees it struck out in the editor, with the day and what to use instead", () => {
    expect(read("generated/v1/types.ts")).toContain(
      `         * Get an animal\n         * @deprecated ${END}\n`,
    );
  });

  test("sees it above the handler that is to go", () => {
    expect(read("generated/v1/server.ts")).toMatch(
      new RegExp(
        String.raw`GET /pets/\{petId\}[^/]*\n {3}\* Deprecated\. ${END}\n {3}\*/\n {2}readonly getPet:`,
      ),
    );
  });
});

describe("who calls it", () => {
  // RFC 9745, RFC 8594, RFC 8288.
  const headers = {
    deprecation: `@${Date.parse("2026-11-21T00:00:00Z") / 1000}`,
    sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
    link: '</v1/pets>; rel="successor-version"',
  };

  test("on the eve gets the animal, and is told by three headers", async () => {
    setClock(EVE);
    expect(await store.call(pet)).toMatchObject({ status: 200, json: { name: "Rex" }, headers });
  });

  test("on the day gets 410, and is told what to use instead by the same headers", async () => {
    setClock(DAY);
    const message = "This operation was removed on 2030-12-05; use /v1/pets";
    expect(await store.call(pet)).toMatchObject({ status: 410, json: { code: "gone", message }, headers });
  });

  test.each([EVE, DAY])("and finds what replaces it, at %s", async (instant) => {
    setClock(instant);
    expect(await store.call("/v1/pets?status=sold")).toMatchObject({ status: 200, json: [{ name: "Rex" }] });
  });
});

describe("who runs it", () => {
  test("knows by their keys who still calls it, before the day and after it", async () => {
    for (const [instant, calls] of [
      [EVE, 2],
      [DAY, 3],
    ] as const) {
      setClock(instant);
      const before = await countCalls();
      await store.call(pet, { key: null });
      await store.call("/v1/pets");
      for (let call = 0; call < calls; call += 1) await store.call(pet);
      // An answer is counted when it is sent, which its caller may know first.
      while ((await countCalls()) < before + calls) await setImmediate();
      expect(await countCalls()).toBe(before + calls);
    }
  });

  async function countCalls(): Promise<number> {
    const [metrics] = await store.measure();
    const { values } = metrics?.find(({ name }) => name === "petstore_deprecated_requests_total") ?? {};
    const labels = { operation: "getPet", key: expect.stringMatching(/^k_/) as unknown };
    expect(values).toEqual([{ labels, value: expect.any(Number) }]);
    return values?.[0]?.value ?? 0;
  }
});

const executablePath = findChromium();

(executablePath === undefined ? describe.skip : describe)("who reads the docs", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executablePath ?? "");
  });
  afterAll(() => browser.close());

  test("on the eve reads until when it is there, and has a link to what replaces it", async () => {
    const { page, operation } = await openDocs(EVE);
    const note = operation.locator(".callout");
    expect(await note.innerText()).toBe(
      "Deprecated since 2026-11-21; will be removed on 2030-12-05. Use listPets instead.",
    );
    const link = note.getByRole("link", { name: "listPets" });
    expect(await link.getAttribute("href")).toBe("#operation/listPets");
    expect(await page.locator('[id="operation/listPets/name"]').innerText()).toContain("List all animals");
    await page.close();
  });

  test("on the day reads since when it is gone, from the same pages", async () => {
    const { page, operation } = await openDocs(DAY);
    expect(await operation.locator(".callout").innerText()).toBe(
      "Gone. Deprecated since 2026-11-21; was removed on 2030-12-05. Use listPets instead.",
    );
    await page.close();
  });

  async function openDocs(instant: string): Promise<{ readonly page: Page; readonly operation: Locator }> {
    setClock(instant);
    const { page, complaints } = await openPage(browser, 1280);
    await page.clock.setFixedTime(instant);
    await page.goto(`${store.url}/docs/#operation/getPet`);
    const operation = page.locator('[id="operation/getPet"]');
    await operation.waitFor();
    expect(complaints).toEqual([]);
    return { page, operation };
  }
});

describe("who keeps the contract", () => {
  const rule = "tenon/sunset-ahead";
  const { rules } = parse(read("redocly.yaml")) as { rules: Record<string, { severity: string }> };
  const lint = async (today: string) => {
    const found = await problemsOf(CONTRACT, { rule, options: { ...rules[rule], today } });
    return found.map((problem) => problem.replace(/^\d+:\d+ /, ""));
  };

  test("hears nothing for years", async () => {
    expect(await lint("2030-06-08")).toEqual([]);
  });

  test("is warned for half a year, and on the eve", async () => {
    const warning = "warn Expected `x-sunset` to be at least 180 days ahead; 2030-12-05 is";
    expect(await lint("2030-06-09")).toEqual([`${warning} 179 days ahead.`]);
    expect(await lint(EVE)).toEqual([`${warning} 0 days ahead.`]);
  });

  test("gets an error on the day, whatever the rule's severity", async () => {
    const error =
      "Expected `x-sunset` to be ahead; 2030-12-05 is past. Remove the operation or move the date.";
    expect(await lint(DAY)).toEqual([`error ${error}`]);
  });
});

describe("who reviews its removal", () => {
  const document = parse(CONTRACT) as { paths: Record<string, { get: object }> };
  const { "/pets/{petId}": { get } = { get: {} }, ...others } = document.paths;
  const removed = stringify({ ...document, paths: others });
  const hurried = stringify({
    ...document,
    paths: { ...document.paths, "/pets/{petId}": { get: { ...get, "x-sunset": "2030-01-01" } } },
  });

  /** `tenon diff` of the contract with another one. */
  async function diff(revision: string, instant: string) {
    const cwd = createProject({ "v1.yaml": CONTRACT, "v2.yaml": revision });
    let stdout = "";
    const exitCode = await runTenon(["diff", "v1.yaml", "v2.yaml", "--format", "json"], {
      cwd,
      stdout: { write: (text) => (stdout += text) },
      stderr: process.stderr,
      program: "tenon",
      now: () => Date.parse(instant),
    });
    return { exitCode, ...(JSON.parse(stdout) as { changes: object[]; version: object }) };
  }

  test("on the eve is told that it breaks a promise", async () => {
    expect(await diff(removed, EVE)).toMatchObject({
      exitCode: 1,
      changes: expect.arrayContaining([
        expect.objectContaining({
          code: "operation-removed",
          level: "breaking",
          operation: "GET /pets/{petId}",
          why: "Its sunset date, 2030-12-05, has not passed.",
        }),
      ]),
      version: { bump: "major", proposed: "2.0.0" },
    });
  });

  test("on the day is told that nobody can mind", async () => {
    const { exitCode, changes, version } = await diff(removed, DAY);
    expect({ exitCode, version }).toMatchObject({ exitCode: 0, version: { bump: "minor" } });
    expect(changes).toContainEqual(
      expect.objectContaining({ code: "operation-removed-after-sunset", level: "safe" }),
    );
  });

  test("and cannot hurry it by another date", async () => {
    const { exitCode, changes } = await diff(hurried, EVE);
    expect(exitCode).toBe(1);
    expect(changes).toMatchObject([
      { code: "sunset-earlier", level: "breaking", before: "2030-12-05", after: "2030-01-01" },
    ]);
  });
});
