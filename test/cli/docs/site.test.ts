import { runInNewContext } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { createDocsSite, type DocumentedContract } from "../../../src/cli/docs/index.js";

const CONTRACT = { openapi: "3.1.0", info: { title: "Pets", version: "1.2.3" }, paths: {} };

/** Text that tries to leave whatever it is put into. */
const HOSTILE = `"'></title></script><script>globalThis.broken = true</script>\u2028\u2029\\\n&amp;<!--`;
const HOSTILE_CONTRACT = { ...CONTRACT, info: { title: HOSTILE, version: HOSTILE, description: HOSTILE } };

function readSite(contract: DocumentedContract): Record<string, string> {
  return Object.fromEntries(createDocsSite(contract).map(({ name, text }) => [name, text]));
}

/** What the site's script gives to the page. */
function runContractScript(script: string): unknown {
  const globals: { contract?: unknown } = {};
  runInNewContext(script, globals);
  return JSON.parse(JSON.stringify(globals.contract));
}

describe("docs site", () => {
  test("is these files, each with a media type that says its charset where one counts", () => {
    const files = createDocsSite(CONTRACT).map(({ name, mediaType }) => `${name} ${mediaType}`);
    expect(files).toEqual([
      "index.html text/html; charset=utf-8",
      "docs.css text/css; charset=utf-8",
      "theme.js text/javascript; charset=utf-8",
      "docs.js text/javascript; charset=utf-8",
      "contract.js text/javascript; charset=utf-8",
      "redoc.js text/javascript; charset=utf-8",
      "redoc.standalone.js.LICENSE.txt text/plain; charset=utf-8",
      "openapi.json application/json",
      "openapi.yaml application/yaml",
      "try.html text/html; charset=utf-8",
      "try.css text/css; charset=utf-8",
      "try.js text/javascript; charset=utf-8",
      "try-contract.js text/javascript; charset=utf-8",
    ]);
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
    ]);
    const texts = Object.fromEntries(site.map(({ name, text }) => [name, text]));
    expect(runContractScript(texts["contract.js"] ?? "")).toMatchObject({
      info: { description: "[What changed, version by version](changelog.html)" },
    });
    // What is offered is what was written.
    expect(JSON.parse(texts["openapi.json"] ?? "")).toEqual(CONTRACT);
  });

  test("names nothing but its own files, and those relatively", () => {
    const site = readSite(CONTRACT);
    const named = [...(site["index.html"] ?? "").matchAll(/(?:src|href)="([^"]*)"/g)].map(([, name]) => name);
    const downloads = [...(site["docs.js"] ?? "").matchAll(/\burl:"([^"]*)"/g)].map(([, name]) => name);
    expect(named).toEqual([
      ...["data:,", "docs.css", "theme.js", "#docs", "openapi.yaml", "openapi.json"],
      ...["redoc.js", "contract.js", "docs.js"],
    ]);
    expect(downloads).toEqual(["openapi.yaml", "openapi.json"]);
    expect(Object.keys(site)).toEqual(
      expect.arrayContaining([...named.filter((name) => /^\w+\./.test(name ?? "")), ...downloads]),
    );
  });

  test("offers the contract itself, unlike the one that the page shows", () => {
    const contract = {
      ...CONTRACT,
      paths: { "/": { get: { operationId: "getRoot", description: "Root." } } },
    };
    const {
      "openapi.json": json = "",
      "openapi.yaml": yaml = "",
      "contract.js": script = "",
    } = readSite(contract);
    expect(JSON.parse(json)).toEqual(contract);
    expect(parse(yaml)).toEqual(contract);
    expect(runContractScript(script)).not.toEqual(contract);
  });

  test.each([
    ["https://a.example/logo.png", false],
    ["logo.png", false],
    ["data:image/gif;base64,R0lGODlhAQABAAAAACw=", true],
  ])("shows the logo %s: %p", (url, isShown) => {
    const contract = { ...CONTRACT, info: { ...CONTRACT.info, "x-logo": { url } } };
    const { "contract.js": script = "", "openapi.json": json = "" } = readSite(contract);
    expect(runContractScript(script)).toEqual(isShown ? contract : CONTRACT);
    expect(JSON.parse(json)).toEqual(contract);
  });

  test("has no anchors in its YAML", () => {
    const shared = { description: "Shared." };
    const { "openapi.yaml": yaml = "" } = readSite({ ...CONTRACT, ...{ "x-a": shared, "x-b": shared } });
    expect(yaml).not.toMatch(/[&*]a1/);
  });

  test("keeps a hostile contract from leaving the page and the script", () => {
    const { "index.html": page = "", "contract.js": script = "" } = readSite(HOSTILE_CONTRACT);
    expect(page.match(/<script|<\/script|<\/title/g)).toEqual([
      "</title",
      ...Array.from({ length: 4 }, () => ["<script", "</script"]).flat(),
    ]);
    expect(script).not.toContain("<");
    expect(script.trimEnd()).not.toContain("\n");
    expect(runContractScript(script)).toEqual(HOSTILE_CONTRACT);
  });

  test("links to the sites of other versions, which the page's own is marked among", () => {
    const versions = [
      { name: "v1", href: "./", current: true },
      { name: `<b>"v2"</b>`, href: `../v2/?a="&b` },
    ];
    const texts = createDocsSite(CONTRACT, { versions }).map(({ name, text }) => [name, text]);
    const { "index.html": page } = Object.fromEntries(texts) as Record<string, string>;
    expect(page).toContain("<summary>Version v1</summary>");
    expect(page).toContain('<a href="./" aria-current="page">v1</a>');
    expect(page).toContain(
      '<a href="../v2/?a=&quot;&amp;b">&lt;b&gt;&quot;v2&quot;&lt;/b&gt;</a>', //
    );
    expect(readSite(CONTRACT)["index.html"]).not.toContain("<details");
  });

  test("keeps a member called __proto__ a member", () => {
    const contract = JSON.parse(
      '{"info":{"title":"a","version":"1"},"x-a":{"__proto__":{"b":1}}}',
    ) as DocumentedContract;
    const script = readSite(contract)["contract.js"] ?? "";
    expect(JSON.stringify(runContractScript(script))).toBe(JSON.stringify(contract));
  });
});
