import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import express from "express";
import ts from "typescript";
import { createPartialApi } from "../../fixtures/streams/generated/server.js";
import { close, listen } from "../../support/http.js";
import { findChromium, launch } from "../../support/chromium.js";

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

/** Reads the changes with the client and with `EventSource`: what each got, and with which IDs. */
const FOLLOW = `(async () => {
  const { createClient } = await import("/modules/test/fixtures/streams/generated/client.ts");
  const client = createClient({ baseUrl: location.origin + "/v1", reconnect: { delay: 1 } });
  const { data } = await client.GET("/changes");
  const read = [];
  for await (const item of data) read.push(item.id + " " + item.data.note);
  const heard = await new Promise((resolve) => {
    const source = new EventSource("/v1/changes");
    const events = [];
    source.onmessage = ({ data, lastEventId }) => {
      events.push(lastEventId + " " + JSON.parse(data).note);
      if (events.length < 4) return;
      source.close();
      resolve(events);
    };
  });
  return { read, heard };
})()`;

(executablePath === undefined ? describe.skip : describe)("generated client in Chromium", () => {
  test("continues a stream of events that breaks, as EventSource does", async () => {
    const asked: unknown[] = [];
    const errors = {
      errorBody: ({ code, message }: { readonly code: string; readonly message: string }) => ({
        code,
        message,
      }),
      onFailure: () => undefined,
    };
    const app = express();
    app.get("/", (_, response) => void response.type("html").send(PAGE));
    app.get(/^\/modules\//, (request, response) => {
      response.type("text/javascript").send(readModule(request.path.slice("/modules/".length)));
    });
    app.use(
      createPartialApi({
        ...errors,
        unimplemented: "501",
        handlers: {
          listChanges({ headers: { "last-event-id": last = "0€" } }, reply) {
            asked.push(last);
            return reply[200](async function* () {
              for (let number = Number.parseInt(last) + 1; number <= 4; number += 1) {
                yield { id: `${number}€`, retry: 1, data: { number, note: `n${number}` } };
                await new Promise(setImmediate);
                if (number === 2) throw new Error("The store is gone");
              }
            });
          },
        },
      }),
    );
    const server = createServer(app as RequestListener);
    const port = await listen(server);
    const browser = await launch(executablePath ?? "");
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      const all = ["1€ n1", "2€ n2", "3€ n3", "4€ n4"];
      expect(await page.evaluate(FOLLOW)).toEqual({ read: all, heard: all });
      expect(asked.at(-1)).toBe("2€");
    } finally {
      await browser.close();
      await close(server);
    }
  });

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
