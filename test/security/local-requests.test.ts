// @thorough: starts a service from the template.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { serveSites } from "../../src/cli/docs/index.js";
import { isLocalRequest } from "../../src/tenon/runtime/internal.js";
import { runIn } from "../cli/commands/run.js";
import { loadRouted, serve } from "../cli/mock/serve.js";
import { sendRaw } from "../support/http.js";

interface Sent {
  readonly method?: string;
  readonly host?: string;
  readonly origin?: string;
}

const EVIL = "http://evil.example";

/** The status of a response. @param sent.host Default: the server's own. */
async function send(url: string, { method = "GET", host, origin }: Sent): Promise<number | undefined> {
  const headers = {
    "Content-Type": "application/json",
    Authorization: "Bearer development",
    ...(host !== undefined && { Host: host }),
    ...(origin !== undefined && { Origin: origin }),
  };
  const sent = request(url, { method, headers });
  sent.end(method === "POST" ? '{"text":"a","name":"a","categoryId":1}' : undefined);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe("isLocalRequest", () => {
  test.each<[Sent, string, boolean]>([
    [{ host: "127.0.0.1:3000" }, "127.0.0.1", true],
    [{ host: "localhost:3000" }, "127.0.0.1", true],
    [{ host: "docs.localhost" }, "127.0.0.1", true],
    [{ host: "[::1]:3000" }, "::1", true],
    [{ host: "192.0.2.1:3000" }, "0.0.0.0", true],
    [{ host: "dev.example:3000" }, "dev.example", true],
    [{ host: "evil.example:3000" }, "0.0.0.0", false],
    [{ host: "localhost.evil.example" }, "127.0.0.1", false],
    [{ host: "127.0.0.1.evil.example" }, "127.0.0.1", false],
    [{ host: "evil.example@127.0.0.1" }, "127.0.0.1", false],
    [{ host: "" }, "127.0.0.1", false],
    [{ host: "localhost", method: "POST", origin: "http://localhost:4020" }, "127.0.0.1", true],
    [{ host: "192.0.2.1:3000", method: "POST", origin: "http://192.0.2.1:3000" }, "0.0.0.0", true],
    [{ host: "192.0.2.1:3000", method: "POST", origin: "http://192.0.2.2" }, "0.0.0.0", false],
    [{ host: "localhost", method: "DELETE", origin: EVIL }, "127.0.0.1", false],
    [{ host: "localhost", method: "POST", origin: "null" }, "127.0.0.1", false],
    [{ host: "localhost", method: "GET", origin: EVIL }, "127.0.0.1", true],
  ])("%j at %s: %s", ({ method = "GET", ...headers }, listening, want) => {
    expect(isLocalRequest({ method, headers } as Parameters<typeof isLocalRequest>[0], listening)).toBe(want);
  });
});

test("tenon mock refuses requests of other sites", async () => {
  const mock = await serve(await loadRouted("openapi/v1.yaml"));
  const url = `${mock.url}/pets`;
  expect(await send(url, {})).toBe(200);
  expect(await send(url, { host: "evil.example" })).toBe(403);
  expect(await send(url, { method: "POST", origin: EVIL })).toBe(403);
  await mock.stop();
});

test("tenon mock --cors allows pages of other origins, but no other name", async () => {
  const mock = await serve(await loadRouted("openapi/v1.yaml"), { cors: true });
  expect(await send(`${mock.url}/pets`, { method: "POST", origin: EVIL })).toBe(201);
  expect(await send(`${mock.url}/pets`, { method: "POST", host: "evil.example", origin: EVIL })).toBe(403);
  await mock.stop();
});

test("tenon docs --serve refuses other names", async () => {
  const page = { name: "index.html", mediaType: "text/html", text: "Docs" };
  const docs = await serveSites(new Map([["index.html", page]]), { port: 0, host: "127.0.0.1" });
  expect(await send(docs.url, {})).toBe(200);
  expect(await send(docs.url, { host: "evil.example" })).toBe(403);
  const head = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  expect(await sendRaw(Number(new URL(docs.url).port), head)).toMatch("HTTP/1.1 400 ");
  await docs.stop();
});

describe("the template's service", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-"));
  const children: ChildProcess[] = [];

  afterAll(async () => {
    for (const child of children.filter(({ exitCode }) => exitCode === null)) {
      child.kill();
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true });
  });

  async function start(
    env: Readonly<Record<string, string>>,
  ): Promise<{ text: string; child: ChildProcess }> {
    const argv = ["--conditions=tenon-source", "--import", "tsx", "src/main.ts"];
    const child = spawn(process.execPath, argv, {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: "", PORT: "0", ...env },
    });
    children.push(child);
    const ended = once(child, "exit");
    let text = "";
    const started = new Promise<void>((settle) => {
      const read = (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("Docs: ")) settle();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
    });
    await Promise.race([started, ended]);
    return { text, child };
  }

  test("accepts the public development key from this machine only", async () => {
    cpSync("src/cli/template", folder, { recursive: true });
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
    const { text } = await start({});
    const origin = /Docs: (http:\/\/[^/]+)/.exec(text)?.[1] ?? "";
    expect(await send(`${origin}/v1/notes`, { method: "POST" })).toBe(201);
    expect(await send(`${origin}/v1/notes`, { method: "POST", host: "evil.example" })).toBe(403);
    expect(await send(`${origin}/v1/notes`, { method: "POST", origin: EVIL })).toBe(403);

    const refused = await start({ HOST: "0.0.0.0" });
    await (refused.child.exitCode === null ? once(refused.child, "exit") : undefined);
    expect(refused.text).toContain("Set API_KEY");
    expect(refused.child.exitCode).toBe(1);
    expect((await start({ HOST: "0.0.0.0", ALLOW_DEVELOPMENT_KEY: "1" })).text).toContain("Docs: ");
    expect((await start({ HOST: "0.0.0.0", API_KEY: "secret" })).text).toContain("Docs: ");
  });
});
