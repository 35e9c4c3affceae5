// @thorough: starts the command for each client.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { close, listen } from "../../support/http.js";
import { type OwnPetStore, startPetStore } from "../../support/petstore.js";
import { type Result } from "../../tenon/mcp/agent.js";
import { toPackedCommand } from "../commands/packed.js";
import { runIn } from "../commands/run.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CONTRACT = join(ROOT, "openapi/v1.yaml");

let client: Client;

async function start(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  pin?: string,
): Promise<Client> {
  client = new Client(
    { name: "test", version: "1" },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [toPackedCommand(), "mcp", ...argv],
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "", ...env },
    }),
  );
  return client;
}

const list = async () => (await client.listTools()).tools.map(({ name }) => name);
async function call(name: string, args: Readonly<Record<string, unknown>> = {}) {
  const result = (await client.callTool({ name, arguments: args })) as Omit<Result, "text">;
  return { ...result, text: result.content.map((one) => (one.type === "text" ? one.text : "")).join("") };
}

describe("the running pet store", () => {
  let store: OwnPetStore;
  beforeAll(async () => {
    store = await startPetStore();
  });
  afterEach(() => client.close());
  afterAll(() => store.stop());

  test("operations that change nothing are tools, and others only by name", async () => {
    const argv = ["--api", CONTRACT, "--url", store.url];
    await start(argv, { TENON_AUTH_BEARER_AUTH: store.key });
    await store.create({ name: "Rex", categoryId: 1 });
    // getPet is deprecated.
    expect(await list()).toEqual(["listPets", "listOrders"]);
    expect((await call("listPets", { limit: 1 })).structuredContent).toMatchObject({ status: 200 });
    await expect(call("createPet", { name: "Tom", categoryId: 1 })).rejects.toThrow("no tool");
    await client.close();

    await start([...argv, "--write", "createPet", "--auth", `bearerAuth=${store.key}`], {}, "2026-07-28");
    expect(await list()).toContain("createPet");
    const { structuredContent } = await call("createPet", { name: "Tom", categoryId: 1 });
    expect(structuredContent).toMatchObject({ status: 201, body: { name: "Tom" } });
  });

  test("without a credential, a call is the service's refusal", async () => {
    await start(["--api", CONTRACT, "--url", store.url]);
    const { isError, structuredContent } = await call("listPets");
    expect({ isError, structuredContent }).toMatchObject({
      isError: true,
      structuredContent: { status: 401 },
    });
  });
});

describe("a service that does not keep its contract", () => {
  let server: Server;
  let answer: { readonly status: number; readonly body: string; readonly location?: string };
  const requests: IncomingMessage[] = [];
  let url = "";
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      const { status, body, location } = answer;
      response.writeHead(status, {
        "Content-Type": "application/json",
        ...(location && { Location: location }),
      });
      response.end(body);
    });
    url = `http://127.0.0.1:${await listen(server)}/v1`;
    await start(["--api", CONTRACT, "--url", url, "--auth", "bearerAuth=secret-key", "--write", "createPet"]);
  });
  afterAll(async () => {
    await client.close();
    await close(server);
  });
  afterEach(() => {
    requests.length = 0;
  });

  test("arguments that the contract does not allow are not sent", async () => {
    answer = { status: 200, body: "[]" };
    const { text, isError } = await call("listPets", { limit: 500, status: "gone" });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Nothing was sent\..*\nChange the argument "limit": it must be at most 100\./);
    expect((await call("createPet", { name: "Rex" })).text).toContain("Nothing was sent");
    expect(requests).toEqual([]);
  });

  test("what the contract does not declare is said, and is no structured content", async () => {
    answer = { status: 200, body: `[{"id":"x"}]` };
    const { text, structuredContent } = await call("listPets");
    expect(text).toContain("The response is not as the contract declares: The body of 200 is not valid");
    expect(structuredContent).toEqual({ status: 200 });
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer secret-key" });
    answer = { status: 418, body: `{}` };
    expect((await call("listPets")).text).toContain("Status 418 is not declared");
  });

  test("parameters that are too long for HTTP are not sent", async () => {
    const { text, isError } = await call("listPets", { cursor: "x".repeat(100_000) });
    expect([text, isError, requests]).toEqual([expect.stringContaining("too long"), true, []]);
  });

  test("JSON that is nested too deeply is text", async () => {
    answer = { status: 200, body: "[".repeat(6_000) + "]".repeat(6_000) };
    const { text, structuredContent } = await call("listPets");
    expect(text).toMatch(/^\[{6000}\]{6000}/);
    expect(text).toContain("more than 100 levels of nesting");
    expect(structuredContent).toEqual({ status: 200 });
  });

  test("a message that is too long ends the command with the reason", async () => {
    const argv = [toPackedCommand(), "mcp", "--api", CONTRACT, "--url", url];
    const command = spawn(process.execPath, argv, { cwd: ROOT });
    command.stdin.on("error", () => undefined).write("x".repeat(11_000_000));
    const [reason, exit] = await Promise.all([textOf(command.stderr), once(command, "exit")]);
    expect([exit, reason]).toEqual([[1, null], expect.stringContaining("The connection was closed: ")]);
  });

  test("no redirect is followed, and no answer has the credential", async () => {
    let others = 0;
    const other = createServer((_, response) => {
      others += 1;
      response.end();
    });
    answer = { status: 302, body: "", location: `http://127.0.0.1:${await listen(other)}/v1/pets` };
    const result = await call("listPets");
    await close(other);
    expect(others).toBe(0);
    expect(result.structuredContent).toMatchObject({ status: 302 });
    expect(JSON.stringify(result)).not.toContain("secret-key");
  });
});

test("the items of a stream arrive as progress, before the stream has ended", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-mcp-")));
  const file = join(folder, "api.yaml");
  const content = { "application/jsonl": { itemSchema: { type: "object" } } };
  const paths = { "/a": { get: { operationId: "a", responses: { "200": { description: "ok", content } } } } };
  writeFileSync(file, JSON.stringify({ openapi: "3.2.0", info: { title: "A", version: "1" }, paths }));
  let more = (): void => undefined;
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/jsonl" }).write('{"id":1}\n');
    more = () => void response.end('{"id":2}\n');
  });
  await start(["--api", file, "--url", `http://127.0.0.1:${await listen(server)}`]);
  const seen: unknown[] = [];
  const result = await client.callTool(
    { name: "a", arguments: {} },
    {
      onprogress: ({ message }) => {
        seen.push(message);
        more();
      },
    },
  );
  await client.close();
  await close(server);
  expect(seen).toEqual(['{"id":1}', '{"id":2}']);
  expect(result.structuredContent).toEqual({ status: 200, body: [{ id: 1 }, { id: 2 }] });
});

describe("usage", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-mcp-")));
  const run = (...argv: string[]) => runIn(folder, "mcp", "--api", "api.yaml", ...argv);
  beforeAll(() => {
    const operation = { responses: { "204": { description: "done" } } };
    writeFileSync(
      join(folder, "api.yaml"),
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "My (small) API", version: "1" },
        security: [{ apiKey: [] }],
        paths: {
          "/a": { get: { operationId: "getA", ...operation }, post: { operationId: "postA", ...operation } },
        },
        components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-Key" } } },
      }),
    );
  });

  test("the configuration of clients has no credential, and works in any folder", async () => {
    const url = "https://api.example/v1";
    const args = ["tenon", "mcp", "--api", join(folder, "api.yaml"), "--url", url, "--write", "postA"];
    const given = ["--url", url, "--write", "postA", "--auth", "apiKey=secret"];
    const cursor = await run(...given, "--print-config", "cursor");
    expect(JSON.parse(cursor.stdout)).toEqual({
      mcpServers: { "my-small-api": { command: "npx", args, env: { TENON_AUTH_API_KEY: "" } } },
    });
    const vscode = await run(...given, "--print-config", "vscode");
    expect(JSON.parse(vscode.stdout)).toEqual({
      servers: {
        "my-small-api": {
          type: "stdio",
          command: "npx",
          args,
          env: { TENON_AUTH_API_KEY: "${input:tenon-auth-api-key}" },
        },
      },
      inputs: [
        { type: "promptString", id: "tenon-auth-api-key", description: "TENON_AUTH_API_KEY", password: true },
      ],
    });
  });

  test.each([
    [["--url", "ftp://x"], "is not the URL of a service"],
    [["--url", "http://localhost:1", "--write", "nope"], 'The contract has no operation "nope".'],
    [["--url", "http://localhost:1", "--auth", "nope=x", "--write", "getA"], "Unknown security scheme"],
  ])("%j: %s", async (argv, text) => {
    const { exitCode, stderr } = await run(...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(text) as unknown]);
  });
});
