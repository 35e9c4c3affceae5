// @thorough: starts the command with every option.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { send } from "../../support/http.js";
import { createCallbacks } from "../../../src/tenon/webhooks/index.js";
import { webhooks } from "../../fixtures/webhooks/generated/server.js";
import { SECRET, serve } from "../../tenon/webhooks/exchange.js";
import { toPackedCommand } from "./packed.js";
import { runIn } from "./run.js";

const MAIN = toPackedCommand();

const PETS = toContract(`servers: [{ url: /v1 }]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        "200":
          description: Pets.
          content:
            application/json:
              schema: { type: array, items: { type: integer } }
              examples:
                bad: { value: [one] }
                good: { value: [1] }
`);

const ORDERS = readFileSync(new URL("../../fixtures/webhooks/openapi.yaml", import.meta.url), "utf8");
const JSON_TYPE = "application/json";

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
  child = undefined;
});

/** Starts `tenon mock` as a process. */
function start(cwd: string, ...argv: readonly string[]) {
  const env = { ...process.env, NODE_OPTIONS: "" };
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const started = spawn(process.execPath, [MAIN, "mock", ...argv], { cwd, env, stdio: [...stdio] });
  child = started;
  const told = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    started[name].on("data", (chunk: Buffer) => {
      told[name] += chunk.toString("utf8");
      for (const look of waiting) look();
    });
  }
  /** Resolves to what was found once it is printed. */
  const hear = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(told.stdout);
        if (found !== null) resolve(found);
      };
      waiting.add(look);
      look();
      started.once("close", () => {
        reject(new Error(`It ended: ${told.stderr}`));
      });
    });
  return { child: started, told, hear };
}

describe("tenon mock", () => {
  test("answers until it is stopped, and tells what it answers and what it does not send", async () => {
    const { child: mock, told, hear } = start(createProject({ "openapi.yaml": PETS }), "--port", "0");
    const [, port] = await hear(/the mock listens at http:\/\/127\.0\.0\.1:(\d+)\/v1\n/);
    expect(await send(Number(port), "/v1/pets?limit=2")).toMatchObject({ status: 200, json: [1] });
    await hear(/^200 {2}GET \/v1\/pets\?limit=2 {2}listPets$/m);
    await send(Number(port), "/v1/cats");
    await hear(/^404 {2}GET \/v1\/cats {2}not in the contract$/m);
    expect(told.stderr).toBe(
      "openapi.yaml:18:24  example-invalid  warning: The example is invalid and is never sent: /0 must be an integer\n",
    );
    mock.kill("SIGINT");
    expect(await once(mock, "close")).toEqual([0, null]);
  });

  test("serves a saved contract at the same port, and the last good one while the new one has errors", async () => {
    const folder = createProject({
      "openapi.yaml": PETS.replace("type: integer } }]", "$ref: parts/limit.yaml } }]"),
      "parts/limit.yaml": "type: integer\n",
    });
    const { told, hear } = start(folder, "--port", "0");
    const port = Number((await hear(/the mock listens at http:\/\/127\.0\.0\.1:(\d+)\/v1\n/))[1]);
    const save = (name: string, text: string) => {
      writeFileSync(join(folder, `${name}.new`), text);
      renameSync(join(folder, `${name}.new`), join(folder, name));
    };
    save("parts/limit.yaml", "type: integer\nmaximum: 5\n");
    await hear(/^tenon: reloaded parts\/limit\.yaml$/m);
    expect(await send(port, "/v1/pets?limit=6")).toMatchObject({ status: 400 });
    save("openapi.yaml", "openapi: [");
    await hear(/^tenon: the contract has errors; the last good one is still served$/m);
    expect(told.stderr).toMatch(/^openapi\.yaml:1:\d+ {2}document-syntax /m);
    expect(await send(port, "/v1/pets")).toMatchObject({ status: 200, json: [1] });
    save("openapi.yaml", PETS.replaceAll("/pets", "/cats"));
    await hear(/^tenon: reloaded openapi\.yaml$/m);
    expect(await send(port, "/v1/cats?limit=6")).toMatchObject({ status: 200, json: [1] });
  });

  test("shows characters of an operationId that control a terminal", async () => {
    const folder = createProject({
      "openapi.yaml": PETS.replace(/operationId: \w+/, 'operationId: "a\\u009b2J\\u202e"'),
    });
    const { hear } = start(folder, "--port", "0");
    const [, port] = await hear(/:(\d+)\/v1\n/);
    await send(Number(port), "/v1/pets");
    await hear(/^200 {2}GET \/v1\/pets {2}a\\u009b2J\\u202e$/m);
  });

  test("takes a file, and every option", async () => {
    const argv = ["--api", "openapi.yaml", "--port", "0", "--dynamic", "--stateful", "--cors"];
    const folder = createProject({ "openapi.yaml": PETS });
    const { hear } = start(folder, ...argv, "--seed", "x", "--delay", "1..2", "--errors", "0.5%");
    const [, port] = await hear(/:(\d+)\/v1\n/);
    const { headers } = await send(Number(port), "/v1/pets", { headers: { Origin: "http://a.example" } });
    expect(headers["access-control-allow-origin"]).toBe("http://a.example");
  });

  test("--callbacks sends a signed sample to the receiver that the request names", async () => {
    const receiver = createCallbacks(webhooks, "createOrder", {
      secret: SECRET,
      handlers: { orderShipped: ({ body }) => void bodies.push(body) },
      unknown: () => undefined,
    });
    const bodies: unknown[] = [];
    const callbackUrl = `http://127.0.0.1:${await serve(receiver)}/hooks`;
    process.env["TENON_WEBHOOK_SECRET"] = SECRET;
    const { hear } = start(createProject({ "openapi.yaml": ORDERS }), "--port", "0", "--callbacks");
    delete process.env["TENON_WEBHOOK_SECRET"];
    const port = Number((await hear(/:(\d+)\/v1\n/))[1]);
    const order = async (json: object) => {
      const body = JSON.stringify(json);
      return send(port, "/v1/orders", { method: "POST", body, headers: { "Content-Type": JSON_TYPE } });
    };
    expect(await order({ item: "Tea" })).toMatchObject({ status: 201 });
    expect(await order({ item: "", callbackUrl })).toMatchObject({ status: 400 });
    expect(await order({ item: "Tea", callbackUrl: "https://client.example/" })).toMatchObject({
      status: 201,
    });
    await hear(
      /^not sent: the receiver must be on this machine {2}POST https:\/\/client\.example\/ {2}createOrder\.orderShipped$/m,
    );
    expect(bodies).toEqual([]);
    expect(await order({ item: "Tea", callbackUrl })).toMatchObject({ status: 201 });
    await hear(/^204 {2}POST http:\/\/127\.0\.0\.1:\d+\/hooks {2}createOrder\.orderShipped$/m);
    expect(bodies).toMatchObject([{ item: expect.any(String) as unknown }]);
  });

  test.each([
    [["--api", "v9"], /Unknown API "v9"/],
    [["--api", "none.yaml"], /There is no file none\.yaml\./],
    [["a", "b"], /too many arguments/],
    [["--port", "70000"], /It must be 0 to 65535/],
    [["--delay", "200..50"], /It must be milliseconds, for example 100, or 50\.\.200/],
    [["--delay", "fast"], /It must be milliseconds/],
    [["--errors", "0.5"], /It must be 0% to 100%, for example 5%/],
    [["--errors", "101%"], /It must be 0% to 100%/],
  ])("%j exits 2 and says what to do", async (argv, want) => {
    const { exitCode, stdout, stderr } = await runIn(
      createProject({ "openapi.yaml": PETS }),
      "mock",
      ...argv,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(want);
  });

  test("asks which API is meant, and tells of a port that is taken", async () => {
    const second = "  v2:\n    root: openapi.yaml\n    x-tenon: { output: other }\nrules:";
    const folder = createProject({ "redocly.yaml": REDOCLY.replace("rules:", second), "openapi.yaml": PETS });
    expect(await runIn(folder, "mock")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("redocly.yaml names v1, v2; choose one with --api.") as unknown,
    });
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { exitCode, stderr } = await runIn(folder, "mock", "--api", "v1", "--port", String(port));
    other.close();
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Port ${port} is in use. Choose another, for example --port ${port + 1}.`);
  });

  test("tells what is wrong with a contract and exits 1", async () => {
    const folder = createProject({ "openapi.yaml": toContract("paths: 5\n") });
    const { exitCode, stderr } = await runIn(folder, "mock", "--api", "openapi.yaml");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^openapi\.yaml:5:\d+ {2}struct {2}error: /m);
  });
});
