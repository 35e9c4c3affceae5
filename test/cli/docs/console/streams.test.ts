// @thorough: reads streams and files in a browser.
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import express, { type Response } from "express";
import { close, listen } from "../../../support/http.js";
import { describeInChromium } from "../../../support/in-chromium.js";
import { createSiteRouter } from "../serve.js";
import { hear, sendAndHear, tryOperation } from "./calling.js";

const EVENT = {
  type: "object",
  properties: { event: { type: "string" }, data: { type: "string" } },
  required: ["data"],
};
const LINE = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };

const get = (operationId: string, content: object) => ({
  get: { operationId, responses: { 200: { description: "All", content } } },
});

const CONTRACT = {
  openapi: "3.2.0",
  info: { title: "Streams", version: "1" },
  paths: {
    "/events": get("events", { "text/event-stream": { itemSchema: EVENT } }),
    "/lines": get("lines", { "application/jsonl": { itemSchema: LINE } }),
    "/file": get("file", { "application/octet-stream": {} }),
  },
};

describeInChromium("streams and files in Chromium", (browser) => {
  /** Opens an operation, whose responses the test writes part by part. */
  async function open(operationId: string) {
    const app = express();
    const calls = new EventEmitter();
    const response = once(calls, "call").then(([own]) => own as Response);
    app.use("/docs", await createSiteRouter(CONTRACT, { service: "/" }));
    app.get("/:name", (_, own) => {
      calls.emit("call", own);
    });
    const server = createServer(app);
    browser.after(() => close(server));
    const { page, complaints } = await browser.openPage();
    await page.goto(`http://127.0.0.1:${await listen(server)}/docs/`);
    return { page, complaints, panel: await tryOperation(page, operationId), response };
  }

  test("events are shown as they arrive, until the reader stops", async () => {
    const { panel, complaints, response } = await open("events");
    await panel.getByRole("button", { name: "Send", exact: true }).click();
    const stream = await response;
    stream.type("text/event-stream");
    stream.write('event: created\ndata: {"id": 1}\n\n: a comment\n\n');
    const items = panel.getByRole("list", { name: "Items" }).getByRole("listitem");
    await items.nth(0).waitFor();
    expect(await items.allInnerTexts()).toEqual([
      expect.stringMatching(/^\/0 · created · after .+ ms\n\{"id": 1\}$/),
    ]);
    stream.write("data: two\r\n\r\ndata: ha");
    await items.nth(1).waitFor();
    const closed = new Promise((resolve) => stream.once("close", resolve));
    await panel.getByRole("button", { name: "Stop" }).click();
    expect(await hear(panel)).toMatch(/^200 OK after .+ ms, stopped\. The response is valid\.$/);
    await closed;
    expect(await panel.getByText("You stopped the stream.").isVisible()).toBe(true);
    expect(await items.count()).toBe(2);
    expect(await items.nth(1).innerText()).toMatch(/^\/1 · message · after .+ ms\ntwo$/);
    expect(complaints).toEqual([]);
  });

  test("lines of JSON are validated at their end", async () => {
    const { page, panel, response } = await open("lines");
    await panel.getByRole("button", { name: "Send", exact: true }).click();
    const stream = await response;
    stream.type("application/jsonl");
    stream.write('{"id": 1}\n{"i');
    const items = panel.getByRole("list", { name: "Items" }).getByRole("listitem");
    await items.nth(0).waitFor();
    stream.end('d": "two"}');
    expect(await hear(panel)).toMatch(/^200 OK after .+ ms\. The response violates the contract\.$/);
    expect(await items.allInnerTexts()).toEqual([
      expect.stringMatching(/ms\n\{"id":1\}$/),
      expect.stringMatching(/ms\n\{"id":"two"\}$/),
    ]);
    const verdict = panel.getByRole("region", { name: "The contract's verdict on the response" });
    expect(await verdict.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringContaining('"/1/id" is "two"; the contract says type'),
    ]);
    expect(await items.nth(1).innerText()).toMatch(/^\/1 · /);
    await page.evaluate("document.querySelector('.items').style.maxHeight = '1px'");
    await verdict.getByRole("button", { name: "show /1/id" }).click();
    const top = "document.querySelector('.items').scrollTop";
    expect(await page.evaluate(top)).toBeGreaterThan(0);
  });

  test("thousands of items at once are shown together, and long ones are cut", async () => {
    const { page, panel, response } = await open("lines");
    await page.evaluate(`
      additions = 0;
      new MutationObserver((records) => {
        for (const { target, addedNodes } of records)
          if (addedNodes.length > 0 && target.matches(".items")) additions += 1;
      }).observe(document, { childList: true, subtree: true });`);
    await panel.getByRole("button", { name: "Send", exact: true }).click();
    const stream = await response;
    stream.type("application/jsonl");
    stream.end(`${'{"id": 1}\n'.repeat(5_000)}"${"x".repeat(100_000)}"\n`);
    expect(await hear(panel)).toMatch(/^200 OK after .+ ms\. The response violates the contract\.$/);
    const items = panel.getByRole("list", { name: "Items" }).getByRole("listitem");
    expect(await items.count()).toBe(500);
    expect(await items.last().innerText()).toMatch(/^\/5000 · after .+ ms\nx{5000}…$/);
    expect(await page.evaluate("additions")).toBeLessThan(1_000);
  });

  test("bytes are saved under the name that the service gives", async () => {
    const { page, panel, response } = await open("file");
    const bytes = Buffer.from([0, 255, 1, 254]);
    void response.then((file) => file.attachment("pets.zip").type("application/octet-stream").send(bytes));
    expect(await sendAndHear(panel)).toMatch(/^200 OK/);
    const download = page.waitForEvent("download");
    await panel.getByRole("link", { name: "Save the body" }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe("pets.zip");
    const chunks: Buffer[] = [];
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks)).toEqual(bytes);
  });
});
