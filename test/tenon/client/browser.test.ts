import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import express from "express";
import ts from "typescript";
import { close, listen } from "../../support/http.js";
import { findChromium, launch } from "../../cli/docs/chromium.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const executablePath = findChromium();

/** The page's modules as they are, without a bundler: TypeScript without its types. */
function readModule(asked: string): string {
  const path = asked.startsWith("node_modules/") ? asked : asked.replace(/\.js$/, ".ts");
  const text = readFileSync(`${ROOT}${path}`, "utf8");
  const options = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    verbatimModuleSyntax: true,
  };
  return path.endsWith(".ts") ? ts.transpileModule(text, { compilerOptions: options }).outputText : text;
}

const PAGE = `<!doctype html><script type="importmap">{"imports": {
  "tenon/client": "/modules/src/tenon/client/index.ts",
  "openapi-fetch": "/modules/node_modules/openapi-fetch/dist/index.mjs"
}}</script>`;

const SCRIPT = `(async () => {
  const { createClient } = await import("/modules/test/fixtures/petlike/generated/client.ts");
  const client = createClient({ baseUrl: location.origin + "/v1", apiKey: async () => "secret" });
  const { status, data } = await client.GET("/pets", { params: { query: { limit: 5 } } });
  const refused = await client.GET("/pets", { headers: { Authorization: "Bearer none" } });
  return { status, data, refused: refused.status, error: refused.error };
})()`;

(executablePath === undefined ? describe.skip : describe)("generated client in Chromium", () => {
  test("calls the service with its key and distinguishes responses", async () => {
    const app = express();
    app.get("/", (_, response) => void response.type("html").send(PAGE));
    app.get(/^\/modules\//, (request, response) => {
      response.type("text/javascript").send(readModule(request.path.slice("/modules/".length)));
    });
    app.get("/v1/pets", (request, response) => {
      if (request.headers.authorization !== "Bearer secret")
        response.status(401).json({ code: "unauthorized" });
      else response.json([{ id: 1, asked: request.url }]);
    });
    const server = createServer(app as RequestListener);
    const port = await listen(server);
    const browser = await launch(executablePath ?? "");
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      expect(await page.evaluate(SCRIPT)).toEqual({
        status: 200,
        data: [{ id: 1, asked: "/v1/pets?limit=5" }],
        refused: 401,
        error: { code: "unauthorized" },
      });
    } finally {
      await browser.close();
      await close(server);
    }
  });
});
