import express, { type Express } from "express";
import type { Locator, Page } from "playwright-core";
import { createSiteRouter } from "../serve.js";

const FORM_SCHEMA = {
  type: "object",
  properties: {
    photo: { type: "string", format: "binary" },
    note: { type: "string" },
    size: { type: "integer", enum: [1, 2] },
  },
};

/** Forms, and every kind of credential. */
export const FORMS = {
  openapi: "3.0.3",
  info: { title: "Forms", version: "1" },
  security: [{ login: [] }, { header: [], query: [] }],
  paths: {
    "/upload": {
      post: {
        operationId: "upload",
        parameters: [
          { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "session", in: "cookie", schema: { type: "string" } },
        ],
        requestBody: {
          content: {
            "multipart/form-data": { schema: FORM_SCHEMA },
            "application/x-www-form-urlencoded": { schema: FORM_SCHEMA },
          },
        },
        responses: { 200: { description: "What came." } },
      },
    },
  },
  components: {
    securitySchemes: {
      login: { type: "http", scheme: "basic" },
      header: { type: "apiKey", in: "header", name: "X-Key" },
      query: { type: "apiKey", in: "query", name: "q" },
    },
  },
};

/** Everything that a contract's author writes is an attack. */
export async function createHostileApp(hostile: string, elsewhere: string): Promise<Express> {
  const contract = {
    openapi: "3.1.0",
    info: { title: hostile, version: hostile, description: hostile },
    servers: [
      { url: "javascript:globalThis.broken=3", description: hostile },
      { url: `http://user:${encodeURIComponent(hostile)}@127.0.0.1:1/` },
      { url: "http://a; script-src * 'unsafe-inline'/" },
      {
        url: "{x}",
        variables: { x: { default: "data:text/html,<script>alert(1)</script>", description: hostile } },
      },
    ],
    tags: [{ name: hostile }],
    paths: {
      [`//${elsewhere.slice("http://".length)}/{${hostile.replaceAll(/[{}/]/g, "")}}`]: {
        get: {
          operationId: hostile,
          summary: hostile,
          description: hostile,
          tags: [hostile],
          "x-replaced-by": "javascript:globalThis.broken=4",
          parameters: [
            {
              name: hostile,
              in: "query",
              description: hostile,
              schema: { enum: [hostile, "b"], default: hostile },
            },
            { name: "__proto__", in: "query", schema: { type: "string", pattern: "(", example: hostile } },
          ],
          responses: { 200: { description: hostile } },
        },
      },
    },
  };
  const app = express();
  app.use("/docs", await createSiteRouter(contract));
  app.use((_, response) => {
    response.type("application/json").send(JSON.stringify({ [hostile]: hostile }));
  });
  return app;
}

/** Opens the form of an operation. */
export async function tryOperation(page: Page, id: string): Promise<Locator> {
  const operation = page.locator(`[id="operation/${id}"]`);
  await operation.getByRole("button", { name: "Try it" }).click();
  const panel = operation.getByRole("region", { name: /^Try it: / });
  await panel.waitFor();
  return panel;
}

/** Sends the request of a form, and waits for its result. */
export async function sendAndHear(panel: Locator): Promise<string> {
  await panel.getByRole("button", { name: "Send", exact: true }).click();
  return hear(panel);
}

/** Reads the result of the last call, as screen readers announce it. */
export async function hear(panel: Locator): Promise<string> {
  const outcome = panel.locator(".outcome", { hasNotText: /^(?:Sending|Receiving)…$/ });
  await outcome.and(panel.page().locator(":not(:empty)")).waitFor({ state: "attached" });
  return (await outcome.textContent()) ?? "";
}

/** Reads the code of a tab: of the body, the headers, the request or its curl line. */
export async function readTab(panel: Locator, name: string): Promise<string> {
  await panel.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
  return panel.getByRole("tabpanel").locator("pre").innerText();
}
