import { runInNewContext } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { createDocsSite, type DocumentedContract } from "../../../src/cli/docs/index.js";
import { decodeEntities } from "../../support/html-text.js";
import { HOSTILE_CONTRACT } from "./contracts.js";

const CONTRACT = { openapi: "3.1.0", info: { title: "Pets", version: "1.2.3" }, paths: {} };

function readSite(contract: DocumentedContract & Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(createDocsSite(contract).map(({ name, text }) => [name, text]));
}

describe("docs site", () => {
  test("is these files, each with a media type that says its charset where one counts", () => {
    const files = createDocsSite(CONTRACT).map(({ name, mediaType }) => `${name} ${mediaType}`);
    expect(files).toEqual([
      "index.html text/html; charset=utf-8",
      "docs.css text/css; charset=utf-8",
      "favicon.svg image/svg+xml",
      "theme.js text/javascript; charset=utf-8",
      "docs.js text/javascript; charset=utf-8",
      "search.js text/javascript; charset=utf-8",
      "openapi.json application/json",
      "openapi.yaml application/yaml",
      "console.css text/css; charset=utf-8",
      "console.js text/javascript; charset=utf-8",
      "console-data.js text/javascript; charset=utf-8",
      "index.md text/markdown; charset=utf-8",
      "llms.txt text/plain; charset=utf-8",
      "llms-full.txt text/plain; charset=utf-8",
    ]);
  });

  test("has the same bytes when it is built again, also with a part of a sample that has parts itself", () => {
    const item = { type: "array", items: { type: "array", minItems: 1, items: { type: "string" } } };
    const itemEncoding = {
      contentType: "multipart/mixed",
      itemEncoding: { contentType: "multipart/mixed", itemEncoding: { contentType: "text/plain" } },
    };
    const content = { "multipart/mixed": { itemSchema: item, itemEncoding } };
    const post = { operationId: "send", requestBody: { content }, responses: {} };
    const contract = { ...CONTRACT, openapi: "3.2.0", paths: { "/": { post } } };
    const site = readSite(contract);
    expect(site["index.html"]?.match(/boundary=[\w-]+/g)).toContain("boundary=0-0-part");
    expect(readSite(contract)).toEqual(site);
  });

  test("describes itself by its description only", () => {
    const describe = (description?: string) => {
      const { "index.html": page = "" } = readSite({
        ...CONTRACT,
        info: { ...CONTRACT.info, ...(description !== undefined && { description }) },
        components: { schemas: { User: { properties: { password: { description: "The password." } } } } },
      });
      return /<meta name="description" content="([^"]*)"/.exec(page)?.[1];
    };
    expect(describe()).toBe("Pets 1.2.3");
    expect(describe("All pets.")).toBe("All pets.");
  });

  test("shows where the variables of a server go", () => {
    const server = { url: "https://{region}.a.example", variables: { region: { default: "eu" } } };
    const { "index.html": page = "" } = readSite({ ...CONTRACT, servers: [server] });
    expect(page).toContain("https://eu.a.example");
    expect(page).toMatch(/From <code>https:[^]*?<span class="variable">\{region\}<\/span>/);
  });

  test("has an address for each of several headings with the same words", () => {
    const info = { ...CONTRACT.info, description: "## Same\n\nOne.\n\n## Same\n\nTwo." };
    const { "index.html": page = "" } = readSite({ ...CONTRACT, info });
    expect(page).toMatch(/<h2 id="section\/Same">[^]*<h2 id="section\/Same-2">/);
    expect(page).toContain('href="#section/Same-2"');
  });

  test("has the contract's history as a page that its own page links to, when there is one", () => {
    const changelog = { title: "Pets", versions: [], unreadable: [] };
    const site = createDocsSite(CONTRACT, { changelog });
    const own = createDocsSite(CONTRACT).map(({ name }) => name);
    expect(site.map(({ name }) => name).filter((name) => !own.includes(name))).toEqual([
      "changelog.html",
      "changes.css",
      "changes.js",
      "changelog.json",
      "changelog.md",
    ]);
    expect(site[0]?.text).toContain('<a href="changelog.html">Changelog</a>');
    expect(readSite(CONTRACT)["index.html"]).not.toContain("changelog");
  });

  test("names nothing but its own files, and those relatively", () => {
    const site = readSite(CONTRACT);
    const named = [...(site["index.html"] ?? "").matchAll(/(?:src|href)="([^"#]+)/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(["docs.css", "docs.js", "openapi.yaml", "openapi.json"]));
    expect(named.filter((name = "") => name !== "data:," && site[name] === undefined)).toEqual([]);
  });

  test("offers the contract itself", () => {
    const contract = {
      ...CONTRACT,
      info: { ...CONTRACT.info, description: "**Decision:** one." },
      paths: { "/": { get: { operationId: "getRoot", description: "Root." } } },
    };
    const { "openapi.json": json = "", "openapi.yaml": yaml = "" } = readSite(contract);
    expect(JSON.parse(json)).toEqual(contract);
    expect(parse(yaml)).toEqual(contract);
  });

  test("has no anchors in its YAML", () => {
    const shared = { description: "Shared." };
    const { "openapi.yaml": yaml = "" } = readSite({ ...CONTRACT, ...{ "x-a": shared, "x-b": shared } });
    expect(yaml).not.toMatch(/[&*]a1/);
  });

  test("keeps a hostile contract from leaving its text, on each page and in the index of search", () => {
    const { "index.html": page = "", "search.js": search = "" } = readSite(HOSTILE_CONTRACT);
    expect(page.match(/<script|<\/script|<\/title|<style|<iframe|<img|<base|<form/g)).toEqual([
      "</title",
      ...Array.from({ length: 2 }, () => ["<script", "</script"]).flat(),
    ]);
    expect(page).not.toMatch(/<[^>]*\s(?:on\w+|style|srcset)=/);
    const addresses = [...page.matchAll(/\s(?:href|src|action|formaction|xlink:href)="([^"]*)"/g)];
    const schemes = addresses.flatMap(
      ([, address = ""]) => /^[\s\0]*(\w+):/.exec(decodeEntities(address))?.[1] ?? [],
    );
    expect([...new Set(schemes)].sort()).toEqual(["https"]);
    expect(search).not.toContain("<");
    const globals: { searchEntries?: readonly (readonly string[])[]; broken?: true } = {};
    runInNewContext(search, globals);
    expect(globals.broken).toBeUndefined();
    expect(globals.searchEntries?.length).toBeGreaterThan(3);
  });

  test("is built from a text with references to the characters that mark links", () => {
    const info = { ...CONTRACT.info, description: "&#xE001;%&#xE001; and &#xE001;<b>&#xE001;" };
    expect(readSite({ ...CONTRACT, info })["index.html"]).toContain(" and ");
  });

  test("links to the sites of other versions, which the page's own is marked among", () => {
    const versions = [
      { name: "v1", href: "./", current: true },
      { name: `<b>"v2"</b>`, href: `../v2/?a="&b` },
    ];
    const texts = createDocsSite(CONTRACT, { versions }).map(({ name, text }) => [name, text]);
    const { "index.html": page } = Object.fromEntries(texts) as Record<string, string>;
    expect(page).toContain("<summary>Version v1</summary>");
    expect(page).toMatch(/<a href="\.\/" +aria-current="page">v1<\/a>/);
    expect(page).toMatch(/<a href="\.\.\/v2\/\?a=&quot;&amp;b" *>&lt;b&gt;&quot;v2&quot;&lt;\/b&gt;<\/a>/);
    expect(readSite(CONTRACT)["index.html"]).not.toContain("<details");
  });

  test("keeps members called as those of every object", () => {
    const text = `{ "type": "object", "properties": { "__proto__": { "type": "integer" }, "constructor": { "type": "string" } } }`;
    const contract = {
      ...CONTRACT,
      "x-a": JSON.parse('{"__proto__":{"b":1}}') as object,
      tags: [{ name: "__proto__" }],
      paths: { "/toString": { get: { operationId: "toString", tags: ["__proto__"], responses: {} } } },
      components: { schemas: { valueOf: JSON.parse(text) as object } },
    };
    const { "index.html": page = "", "openapi.json": json = "" } = readSite(contract);
    expect(json).toContain('"__proto__": {\n      "b": 1');
    for (const id of ["tag/__proto__", "operation/toString", "schema/valueOf"])
      expect(page).toContain(`id="${id}"`);
    for (const name of ["__proto__", "constructor"])
      expect(page).toContain(`<code class="name">${name}</code>`);
  });
});
