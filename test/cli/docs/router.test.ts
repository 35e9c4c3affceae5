// @slow: builds the docs of several contracts.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createDocsSite } from "../../../src/cli/docs/index.js";
import { PAGE_POLICY } from "../../../src/cli/docs/assets/page-policy.js";
import { createDocsRouter } from "../../../src/tenon/docs/index.js";
import { createDirectory } from "../../support/directory.js";
import { close } from "../../support/http.js";
import { ask, createDocsApp, PET_STORE, serve, type Served } from "./serve.js";

describe("docs router", () => {
  let served: Served;
  let base: string;

  beforeAll(async () => {
    served = await serve(await createDocsApp(PET_STORE, "/some/docs"));
    base = `${served.origin}/some/docs/`;
  });

  afterAll(() => close(served.server));

  const files = createDocsSite(PET_STORE).map((file) => ({
    ...file,
    path: file.name === "index.html" ? "" : file.name,
  }));

  test.each(files)(
    "serves $name with its type, its policy and a validator",
    async ({ path, text, mediaType, policy }) => {
      const { status, headers, bytes } = await ask(base + path);
      expect({ status, text: bytes.toString("utf8") }).toEqual({ status: 200, text });
      expect(headers).toMatchObject({
        "content-type": mediaType,
        "content-length": String(bytes.length),
        "content-security-policy": `${policy ?? PAGE_POLICY}; frame-ancestors 'none'`,
        "x-content-type-options": "nosniff",
        "cache-control": "no-cache",
        vary: "Accept-Encoding",
        etag: expect.stringMatching(/^"[\w-]+"$/),
      });
      expect(headers).not.toHaveProperty("content-encoding");
    },
  );

  test("answers 404 with the command that builds the site while there is none", async () => {
    const app = express();
    app.use("/docs", createDocsRouter({ folder: createDirectory() }));
    const { server, origin } = await serve(app);
    const { status, bytes } = await ask(`${origin}/docs/`);
    await close(server);
    expect({ status, text: bytes.toString() }).toEqual({
      status: 404,
      text: expect.stringContaining("npx tenon docs"),
    });
  });

  test("answers HEAD as GET without the body", async () => {
    const get = await ask(`${base}openapi.json`);
    const head = await ask(`${base}openapi.json`, "HEAD");
    expect(head.bytes).toHaveLength(0);
    expect({ ...head.headers, date: "" }).toEqual({ ...get.headers, date: "" });
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS"])(
    "answers %s with 405 and what is allowed",
    async (method) => {
      for (const path of ["", "openapi.json"]) {
        const { status, headers } = await ask(base + path, method);
        expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "GET, HEAD" });
      }
    },
  );

  test.each(["nothing.js", "OPENAPI.JSON", "openapi.json/", "..%2fdocs.js", "%2e%2e/docs.js", "/"])(
    "leaves %s to the app",
    async (path) => {
      const { status, bytes } = await ask(base + path);
      expect({ status, text: bytes.toString() }).toEqual({ status: 404, text: "the app's own" });
    },
  );

  test.each([
    ["gzip", "gzip, deflate", gunzipSync],
    ["br", "gzip, deflate, br, zstd", brotliDecompressSync],
    ["gzip", "br;q=0, gzip", gunzipSync],
  ])("sends %s to who accepts %s", async (coding, accepted, decompress) => {
    const plain = await ask(`${base}openapi.json`);
    const { headers, bytes } = await ask(`${base}openapi.json`, "GET", { "Accept-Encoding": accepted });
    expect(headers).toMatchObject({ "content-encoding": coding, vary: "Accept-Encoding" });
    expect(headers.etag).not.toBe(plain.headers.etag);
    expect(decompress(bytes).equals(plain.bytes)).toBe(true);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
  });

  test.each([undefined, "identity", "gzip;q=0, br;q=0", "zstd"])(
    "sends the text itself for %s",
    async (accepted) => {
      const { status, headers } = await ask(
        base,
        "GET",
        accepted === undefined ? {} : { "Accept-Encoding": accepted },
      );
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty("content-encoding");
    },
  );

  test("answers 304 to who has the same representation, and to nobody else", async () => {
    const url = `${base}openapi.json`;
    for (const accepted of ["identity", "gzip", "br"]) {
      const { headers } = await ask(url, "GET", { "Accept-Encoding": accepted });
      const { etag = "" } = headers;
      const again = await ask(url, "GET", {
        "Accept-Encoding": accepted,
        "If-None-Match": `"other", ${etag}`,
      });
      expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 });
      expect(again.headers).toMatchObject({ etag, vary: "Accept-Encoding", "cache-control": "no-cache" });

      const other = accepted === "gzip" ? "br" : "gzip";
      const { status } = await ask(url, "GET", { "Accept-Encoding": other, "If-None-Match": etag });
      expect(status).toBe(200);
    }
  });

  test("redirects to the folder by a relative address, which survives a proxy's prefix", async () => {
    const { status, headers } = await ask(`${served.origin}/some/docs?a=b?c`);
    expect({ status, location: headers.location }).toEqual({ status: 308, location: "./docs/?a=b?c" });
    expect(new URL(headers.location ?? "", "https://proxy.example/team/some/docs").pathname).toBe(
      "/team/some/docs/",
    );
  });

  test("redirects from the page's own name, by which pages in a folder link to it", async () => {
    const { status, headers } = await ask(`${base}index.html`);
    expect({ status, location: headers.location }).toEqual({ status: 308, location: "./" });
  });

  test("serves the changelog as a page and as data, under the policy of the docs", async () => {
    const changelog = { title: "Pets", versions: [], unreadable: [] };
    const { server, origin } = await serve(await createDocsApp(PET_STORE, "/docs", { changelog }));
    const [page, index] = [await ask(`${origin}/docs/changelog.html`), await ask(`${origin}/docs/`)];
    const data = await ask(`${origin}/docs/changelog.json`);
    await close(server);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": index.headers["content-security-policy"],
    });
    expect(JSON.parse(data.bytes.toString())).toEqual(changelog);
    expect((await ask(`${base}changelog.html`)).status).toBe(404);
  });

  test.each([
    ["at the root", "/", "/", undefined],
    ["below a path that could be taken for a scheme", "/docs\\:v1", "/docs:v1", "./docs:v1/"],
  ])("works %s", async (_, mount, path, location) => {
    const { server, origin } = await serve(await createDocsApp(PET_STORE, mount));
    const { status, headers } = await ask(origin + path);
    await close(server);
    expect({ status, location: headers.location }).toEqual({
      status: location === undefined ? 200 : 308,
      location,
    });
  });
});
