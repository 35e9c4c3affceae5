// @thorough: builds the sites of projects.
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { createDocsSite } from "../../../src/cli/docs/index.js";
import { close } from "../../support/http.js";
import { describeInChromium } from "../../support/in-chromium.js";
import { createDocsApp, PET_STORE, serve, type Served } from "./serve.js";

describeInChromium("what the page shows, in Chromium", (browser) => {
  let served: Served;
  const folder = mkdtempSync(join(tmpdir(), "tenon-docs-"));

  beforeAll(async () => {
    served = await serve(await createDocsApp(PET_STORE, "/docs", { service: "/v1" }));
  });

  afterAll(async () => {
    await close(served.server);
    await rm(folder, { recursive: true });
  });

  const open = async (url: string): Promise<Page> => {
    const { page } = await browser.openPage();
    await page.goto(url);
    await page.locator("h1").first().waitFor();
    return page;
  };

  /** The sample behind a tab of an operation. */
  const read = async (page: Page, operationId: string, tab: string): Promise<string> => {
    const request = page.locator(`[id="operation/${operationId}"] .request`);
    await request.getByRole("tab", { name: tab, exact: true }).click();
    return (await request.locator("pre:visible").innerText()).replaceAll(/\s+/g, " ");
  };

  test("samples call the service that the page is of, which is first among the servers", async () => {
    const page = await open(`${served.origin}/docs/`);
    expect(await read(page, "createPet", "curl")).toContain(`curl -i -X POST '${served.origin}/v1/pets'`);
    expect(await read(page, "createPet", "fetch")).toContain(`await fetch("${served.origin}/v1/pets"`);
    expect(await read(page, "createPet", "client")).toContain(`baseUrl: "${served.origin}/v1"`);
    expect(await page.locator('[id="section/Servers"] [data-address]').allInnerTexts()).toEqual([
      `${served.origin}/v1`,
      "https://petstore.example/v1",
      "https://staging.petstore.example/v1",
    ]);
    await page.close();
  });

  test("in a folder on disk, they call the contract's first server", async () => {
    for (const { name, text } of createDocsSite(PET_STORE, { service: "/v1" }))
      writeFileSync(join(folder, name), text);
    const page = await open(pathToFileURL(join(folder, "index.html")).href);
    expect(await read(page, "createPet", "curl")).toContain(
      "curl -i -X POST 'https://petstore.example/v1/pets'",
    );
    await page.close();
  });

  test("decisions are marked where they are, and a section leads there", async () => {
    const page = await open(`${served.origin}/docs/#section/Decisions`);
    const marked = page.locator('[id="operation/createPet"] .decision').first();
    expect(await marked.innerText()).toMatch(/^Decision of this service: an omitted status stays omitted/);
    const list = page
      .locator('[id="section/Decisions"] ~ p')
      .getByRole("link", { name: "Add an animal" })
      .first();
    expect(await list.getAttribute("href")).toBe("#operation/createPet");
    await page.close();
  });

  test("an error says its code before it is unfolded", async () => {
    const page = await open(`${served.origin}/docs/`);
    const response = page.locator('[id="operation/listPets/401"]');
    expect(await response.locator("summary").first().innerText()).toMatch(
      /The API key is missing or invalid.*unauthorized/s,
    );
    expect(await response.getAttribute("open")).toBeNull();
    await page.close();
  });
});
