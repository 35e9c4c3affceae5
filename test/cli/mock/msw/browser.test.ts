// @thorough: runs a page in Chromium.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "@jest/globals";
import type { BuildOptions, BuildResult } from "esbuild";
import { describeInChromium } from "../../../support/in-chromium.js";
import { loadDocument, serve, toRouted } from "../serve.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const require = createRequire(import.meta.url);
const { buildSync } = createRequire(new URL("src/cli/package.json", `file://${ROOT}`))("esbuild") as {
  buildSync: (options: BuildOptions) => BuildResult;
};

/** No inline script, nothing from elsewhere, and no evaluated code. */
const POLICY = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; img-src data:";

function bundle(entry: string, options: BuildOptions): string {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    conditions: ["tenon-source"],
    mainFields: ["module", "main"],
    format: "esm",
    minify: true,
    write: false,
    logLevel: "silent",
    ...options,
  });
  return outputFiles?.[0]?.text ?? "";
}

test("handlers need neither Node nor code from strings, and less than 130 KB", () => {
  // On a neutral platform, an import of a built-in module is an error.
  const text = bundle("src/cli/mock/msw/index.ts", { platform: "neutral", external: ["msw"] });
  expect(/\beval\(|\bFunction\(/.exec(text)?.[0]).toBeUndefined();
  expect(gzipSync(text).byteLength).toBeLessThan(130_000);
});

describeInChromium("in a page with a strict policy, handlers", ({ createContext }) => {
  let server: Server;
  let origin: string;

  async function serveHandlers(version: string): Promise<void> {
    const script = bundle("test/cli/mock/msw/page.ts", { platform: "browser", alias: { msw: version } });
    const worker = readFileSync(require.resolve(`${version}/mockServiceWorker.js`));
    const files: Readonly<Record<string, readonly [type: string, content: string | Buffer]>> = {
      "/": [
        "text/html",
        '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
      ],
      "/page.js": ["text/javascript", script],
      "/mockServiceWorker.js": ["text/javascript", worker],
    };
    server = createServer(({ url = "/" }, response) => {
      const [type, content] = files[url] ?? ["text/plain", ""];
      const headers = { "Content-Type": type, "Content-Security-Policy": POLICY };
      response.writeHead(type === "text/plain" ? 404 : 200, headers).end(content);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each(["msw", "msw-3"])(
    "of %s have the responses of the mock server, call resolvers, and make network errors",
    async (version) => {
      await serveHandlers(version);
      const document = await loadDocument("openapi/v1.yaml");
      const page = await (await createContext()).newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.text().includes("Security Policy")) complaints.push(message.text());
      });
      await page.goto(origin);
      await page.waitForFunction("typeof run === 'function'");
      const found = await page.evaluate<readonly unknown[]>(`run(${JSON.stringify(document)})`);
      const mock = await serve(toRouted(document));
      const pets = await fetch(`${mock.url}/pets`, { headers: { Authorization: "Bearer any" } });
      await mock.stop();
      const refused = (status: number, code: string, message: unknown) => ({
        status,
        mock: null,
        body: { code, message, status },
      });
      expect(found).toEqual([
        { status: 200, mock: "true", body: await pets.json() },
        refused(400, "invalid_parameter", 'Query parameter "limit" must be at most 100'),
        refused(400, "invalid_body", 'Field "name" must be a string'),
        refused(401, "unauthorized", expect.stringContaining("Authorization: Bearer")),
        { status: 200, mock: null, body: [{ id: 3, name: "Rex", categoryId: 1 }] },
        "TypeError",
        200,
      ]);
      expect(complaints).toEqual([]);
    },
  );
});
