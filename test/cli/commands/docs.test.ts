// @thorough: builds and serves docs with every option.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createDocsSite } from "../../../src/cli/docs/index.js";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { ask } from "../docs/serve.js";
import { readSamples as readShown } from "../docs/samples/run-samples.js";
import { toPackedCommand } from "./packed.js";
import { runIn } from "./run.js";

const CONTRACT = toContract(`paths:
  /pets:
    get:
      operationId: listPets
      responses: { "200": { description: Pets. } }
`);
const ORDERS = CONTRACT.replace("Test", "Orders").replace("1.0.0", "2.0.0");

const SEVERAL = {
  "redocly.yaml": `apis:
  v1: { root: a.yaml, x-tenon: { output: generated/v1 } }
  core@v2: { root: b.yaml }
`,
  "a.yaml": CONTRACT,
  "b.yaml": ORDERS,
};

const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

/** The samples that a written page shows, read from its folder. */
function readSamples(folder: string, path: string) {
  return readShown([read(folder, path)], pathToFileURL(join(folder, path)).href);
}

describe("tenon docs", () => {
  test("writes the site of the only API beside its generated files, for a service that serves both", async () => {
    const cwd = createProject({ "openapi.yaml": CONTRACT });
    expect(await runIn(cwd, "docs")).toEqual({
      exitCode: 0,
      stdout: `docs of v1  ${join("generated", "docs", "index.html")}\n`,
      stderr: "",
    });
    const info = { title: "Test", version: "1.0.0" };
    const names = createDocsSite({ info }).map(({ name }) => name);
    expect(readdirSync(join(cwd, "generated/docs")).sort()).toEqual([...names, "site.json"].sort());
    expect(read(cwd, "generated/docs/console-data.js")).toContain('\\"service\\":\\"..\\"');
    const samples = readSamples(cwd, "generated/docs/index.html");
    expect(samples.map(({ label }) => label)).toEqual(["curl", "fetch", "client", "Python", "Go"]);
    expect(samples[2]?.source).toContain('from "./generated/client.js"');
  });

  test("removes what the site before it had, and nothing else", async () => {
    const cwd = createProject({ "openapi.yaml": CONTRACT });
    await runIn(cwd, "docs");
    const folder = join(cwd, "generated/docs");
    const site = JSON.parse(read(folder, "site.json")) as { readonly files: readonly object[] };
    const names = ["gone.html", "../server.ts", "own.txt"];
    for (const name of names) writeFileSync(join(folder, name), "");
    const files = [...site.files, ...names.slice(0, 2).map((name) => ({ name, mediaType: "text/html" }))];
    writeFileSync(join(folder, "site.json"), JSON.stringify({ ...site, files }));
    // A file that is written again is another one in its place.
    const { ino } = statSync(join(folder, "index.html"));
    expect((await runIn(cwd, "docs")).exitCode).toBe(0);
    expect(names.filter((name) => existsSync(join(folder, name)))).toEqual(["../server.ts", "own.txt"]);
    expect(statSync(join(folder, "index.html")).ino).toBe(ino);
  });

  test("gives several a folder each, which lead to each other, and a page that leads to them", async () => {
    const cwd = createProject(SEVERAL);
    const { exitCode, stdout } = await runIn(cwd, "docs", "--out", "site", "--service", "/v1");
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `docs of v1  ${join("site", "v1", "index.html")}
docs of core@v2  ${join("site", "core@v2", "index.html")}
list of all  ${join("site", "index.html")}
`,
    });
    const list = read(cwd, "site/index.html");
    expect(list).toContain('<a href="core%40v2/index.html">core@v2</a>: Orders 2.0.0');
    expect(list).not.toContain("<script");
    expect(read(cwd, "site/v1/index.html")).toContain('href="../core%40v2/index.html"');
    // Only what is generated from has a client.
    expect(readSamples(cwd, "site/v1/index.html").map(({ label }) => label)).toContain("client");
    expect(readSamples(cwd, "site/core@v2/index.html").map(({ label }) => label)).not.toContain("client");
    expect(read(cwd, "site/v1/index.html")).toContain('<span data-address="/v1">/v1</span>');
  });

  test("takes a file where there is no project, and several of one name", async () => {
    const cwd = createProject({ "a/openapi.yaml": CONTRACT, "b/openapi.yaml": ORDERS });
    expect(await runIn(cwd, "docs", "--api", "a/openapi.yaml", "--out", "one")).toMatchObject({
      exitCode: 0,
    });
    expect(existsSync(join(cwd, "one/index.html"))).toBe(true);
    await runIn(cwd, "docs", "--api", "a/openapi.yaml", "--api", "b/openapi.yaml", "--out", "two");
    expect(readdirSync(join(cwd, "two")).sort()).toEqual([
      "index.html",
      "openapi",
      "openapi-2",
      "site.json",
      "versions.css",
    ]);
  });

  test("takes the changelog that is beside generated files, and nothing that is none", async () => {
    const changelog = { title: "Pets", versions: [], unreadable: [] };
    const files = { "openapi.yaml": CONTRACT };
    const cwd = createProject({ ...files, "generated/changelog.json": JSON.stringify(changelog) });
    await runIn(cwd, "docs");
    expect(read(cwd, "generated/docs/changelog.html")).toContain("<h1>Changelog of Pets</h1>");
    const broken = createProject({ ...files, "generated/changelog.json": "[]" });
    const { exitCode, stderr } = await runIn(broken, "docs");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("changelog.json is not a changelog");
  });

  const hostile = `</title><script>globalThis.broken = 1</script>"`;

  test("a hostile name or title stays text in the list of sites", async () => {
    const entry = (name: string) => `  ${JSON.stringify(name)}: { root: openapi.yaml }\n`;
    const cwd = createProject({
      "redocly.yaml": `apis:\n${entry("../../up")}${entry(hostile)}`,
      "openapi.yaml": CONTRACT.replace("Test", JSON.stringify(hostile)),
    });
    expect(await runIn(cwd, "docs")).toMatchObject({ exitCode: 0 });
    expect(read(cwd, "dist/docs-site/index.html")).not.toContain("<script");
    expect(readdirSync(join(cwd, "dist/docs-site"))).toHaveLength(5);
    expect(readdirSync(join(cwd, "dist"))).toEqual(["docs-site"]);
  });

  test.each([
    [["--api", "v9"], {}, /Unknown API "v9": redocly\.yaml has v1\./],
    [["--api", "none.yaml"], {}, /There is no file none\.yaml\./],
    [["--service", "v1"], {}, /It must be a path, for example \/v1, or an address/],
    [["--service", "//evil.example"], {}, /It must be a path/],
    [["--callable", "localhost"], {}, /--callable must be an origin, for example http:\/\/localhost:3000/],
    [["--out", "."], {}, /--out must be a folder for the docs alone/],
    [[], { "redocly.yaml": "apis: {}\n" }, /names no contract\. Name one, for example --api openapi\.yaml\./],
    [
      [],
      { "openapi.yaml": "openapi: 3.1.0\npaths: {}\n" },
      /openapi\.yaml has no info\.title and info\.version/,
    ],
  ])("%j with %j exits 2 and says what to do", async (argv, files, want) => {
    const cwd = createProject({ "openapi.yaml": CONTRACT, ...files });
    const { exitCode, stdout, stderr } = await runIn(cwd, "docs", ...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(want);
  });

  test("tells what a contract refers to and is not there, and exits 1", async () => {
    const broken = CONTRACT.replace("{ description: Pets. }", "{ $ref: missing.yaml }");
    const cwd = createProject({ "openapi.yaml": broken });
    const { exitCode, stderr } = await runIn(cwd, "docs");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^openapi\.yaml:9:\d+ .*missing\.yaml.*\n1 error; nothing was written\.\n$/s);
    expect(existsSync(join(cwd, "dist"))).toBe(false);
  });

  describe("--serve", () => {
    let child: ChildProcess | undefined;
    afterEach(() => {
      child?.kill("SIGKILL");
    });

    /** Starts the command; `hear` resolves to the first match in all that it has printed. */
    const start = (cwd: string, ...options: readonly string[]) => {
      const argv = [toPackedCommand(), "docs", ...options, "--port", "0"];
      const serving = spawn(process.execPath, argv, { cwd, env: { ...process.env, NODE_OPTIONS: "" } });
      child = serving;
      let told = "";
      const waiting = new Set<() => void>();
      serving.stdout.on("data", (chunk: Buffer) => {
        told += chunk.toString();
        for (const look of waiting) look();
      });
      const hear = (pattern: RegExp) =>
        new Promise<string>((resolve, reject) => {
          const look = () => {
            const found = pattern.exec(told);
            if (found !== null) resolve(found[1] ?? "");
          };
          waiting.add(look);
          look();
          serving.once("close", () => {
            reject(new Error(`It ended: ${told}`));
          });
        });
      return { serving, hear };
    };

    test("--watch builds the pages again after a save, and reloads those that are open", async () => {
      const config = REDOCLY.replace("generated", "generated, docs: { guides: [guides/start.md] }");
      const cwd = createProject({
        ...{ "openapi.yaml": CONTRACT, "redocly.yaml": config, "guides/start.md": "# Start\n" },
      });
      const { serving, hear } = start(cwd, "--watch");
      const url = await hear(/the docs are at (\S+)\n/);
      const read = async () => (await fetch(url)).text();
      expect(await read()).toContain('<script src="reload.js"></script>');
      const events = await fetch(`${url}reload`);
      expect(events.headers.get("content-type")).toBe("text/event-stream");
      writeFileSync(join(cwd, "openapi.yaml"), CONTRACT.replace("title: Test", "title: Changed"));
      // Resolves when the stream ends.
      expect(await events.text()).toBe("retry: 200\n\n");
      expect(await read()).toContain("<title>Changed");
      writeFileSync(join(cwd, "guides/start.md"), "# Begin\n");
      await hear(/^tenon: reloaded guides\/start\.md$/m);
      expect(await read()).toContain('<a href="start.html">Begin</a>');
      writeFileSync(join(cwd, "openapi.yaml"), "openapi: [");
      await hear(/^tenon: the contract has errors; the last good one is still served$/m);
      expect(await read()).toContain("<title>Changed");
      serving.kill("SIGINT");
      expect(await once(serving, "close")).toEqual([0, null]);
      expect(existsSync(join(cwd, "generated"))).toBe(false);
    });

    test("serves the pages until it is stopped, and writes nothing", async () => {
      const cwd = createProject(SEVERAL);
      const { serving, hear } = start(cwd, "--serve");
      const url = await hear(/the docs are at (\S+)\n/);
      expect(await (await fetch(`${url}v1/`)).text()).not.toContain("reload.js");
      expect(await ask(`${url}v1/reload`)).toMatchObject({ status: 404 });
      const get = async (path: string, method = "GET") => {
        const { status, headers, bytes } = await ask(url + path, method);
        return { status, type: headers["content-type"], location: headers.location, length: bytes.length };
      };
      expect(await get("")).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
      expect(await get("core%40v2")).toMatchObject({ status: 308, location: "/core%40v2/" });
      expect(await get("core%40v2/")).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
      expect(await get("v1/docs.js?a=b")).toMatchObject({
        status: 200,
        type: "text/javascript; charset=utf-8",
      });
      expect(await get("v1/docs.js", "HEAD")).toMatchObject({ status: 200, length: 0 });
      expect(await get("v1/docs.js", "POST")).toMatchObject({ status: 405 });
      for (const path of ["../redocly.yaml", "%2e%2e/redocly.yaml", "v1/none", "%"])
        expect(await get(path)).toMatchObject({ status: 404 });
      serving.kill("SIGINT");
      expect(await once(serving, "close")).toEqual([0, null]);
      expect(existsSync(join(cwd, "dist"))).toBe(false);
    });

    test("says when the port is taken", async () => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const cwd = createProject({ "openapi.yaml": CONTRACT, "redocly.yaml": REDOCLY });
      const { exitCode, stderr } = await runIn(cwd, "docs", "--serve", "--port", String(port));
      other.close();
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`Port ${port} is in use. Choose another, for example --port ${port + 1}.`);
    });
  });
});
