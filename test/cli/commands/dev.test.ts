// @thorough, 110 s: compiles and starts a service after each of many saves.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { close, listen, send } from "../../support/http.js";
import { endProcesses } from "../../support/process-group.js";
import { until } from "../../support/until.js";
import { installPacked, toPackedCommand } from "./packed.js";
import { runIn } from "./run.js";
import { Started } from "./started.js";

const MAIN = toPackedCommand();
/** Its limit for the start is longer than any test waits. */
const PATIENT_DEV = [MAIN, "dev", "--start-limit", String(24 * 3_600)];
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** Printed by a service that listens. */
const DOCS = /Docs: http:\/\/127\.0\.0\.1:(\d+)\/docs/;

let folder = "";
let dev: Started;
let port = 0;
let debugPort = 0;

const read = (name: string) => readFileSync(join(folder, name), "utf8");
const save = (name: string, text: string) => {
  // A file that is being written is empty for a moment, which is a save of its own on a slow machine.
  dev.hold(() => {
    writeFileSync(join(folder, name), text);
  });
};
const start = (argv: readonly string[] = [MAIN, "dev"]) =>
  new Started(process.execPath, argv, { cwd: folder, env: { PORT: "0", NODE_OPTIONS: "" } });
const list = (query = "") =>
  send(port, `/v1/notes${query}`, { headers: { Authorization: "Bearer development" } });

interface Task {
  readonly command: string;
  readonly problemMatcher: {
    readonly pattern: { readonly regexp: string };
    readonly background: { readonly beginsPattern: string; readonly endsPattern: string };
  };
}

/** Asks without a pause while something is done, and resolves to every status that was answered, or error. */
async function askDuring(work: () => Promise<void>): Promise<readonly (number | string)[]> {
  const statuses = new Set<number | string>();
  const controller = new AbortController();
  const asking = (async () => {
    while (!controller.signal.aborted) statuses.add(await list().then(({ status }) => status, String));
  })();
  try {
    await work();
  } finally {
    controller.abort();
    await asking;
  }
  return [...statuses];
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-dev-")));
  await runIn(folder, "init");
  installPacked(folder, ["express", "tsx", "typescript", "@types/node", "@types/express"]);
  dev = start();
  const [, text] = await dev.printed(DOCS);
  port = Number(text);
  await dev.printed(/tenon: started in \d+ ms/);
});

afterAll(async () => {
  await endProcesses();
  rmSync(folder, { recursive: true });
});

describe("tenon dev", () => {
  test("generates, and runs the service", async () => {
    expect(await list()).toMatchObject({ status: 200, json: [] });
  });

  test("a broken contract is told with its place, and the last good service answers", async () => {
    const contract = read("openapi/v1.yaml");
    save("openapi/v1.yaml", contract.replace("operationId: listNotes", "operationid: listNotes"));
    await dev.printed(
      /^openapi\/v1\.yaml:\d+:\d+ {2}struct {2}error: Property `operationid` is not expected here/m,
    );
    await dev.printed(/tenon: the contract has errors; the last good service is still running/);
    expect(await list()).toMatchObject({ status: 200 });
    save("openapi/v1.yaml", contract);
    await dev.printed(/tenon: nothing changed for the service/);
  });

  test.each([
    [
      "a syntax error in the contract",
      "openapi/v1.yaml",
      "paths: [",
      /^openapi\/v1\.yaml:\d+:\d+ {2}document-syntax /m,
    ],
    [
      "a plugin that is not there",
      "redocly.yaml",
      "plugins: [./nowhere.mjs]",
      /^redocly\.yaml:2:1 {2}config-invalid /m,
    ],
    [
      "a lint rule that throws",
      "redocly.yaml",
      "plugins: [./own.mjs]\nrules: { own/own: error }",
      /^openapi\/v1.yaml:1:1 {2}.*lint-failed .*Error: by a rule, at Root .*own.mjs/m,
    ],
  ])("%s is told, and the last good service answers", async (_, name, broken, want) => {
    const rule = '{ own: () => ({ Root() { throw new Error("by a rule"); } }) }';
    save("own.mjs", `export default () => ({ id: "own", rules: { oas3: ${rule} } });\n`);
    const text = read(name);
    const [apis = ""] = text.split("plugins:");
    save(name, name === "redocly.yaml" ? `${apis}${broken}\n` : broken);
    await dev.printed(want);
    await dev.printed(/tenon: the contract has errors; the last good service is still running/);
    expect(await list()).toMatchObject({ status: 200 });
    save(name, text);
    await dev.printed(/tenon: nothing changed for the service/);
  });

  test("a good contract is generated from, told by operation, and enforced by the new service", async () => {
    const answered = await askDuring(async () => {
      save("openapi/v1.yaml", read("openapi/v1.yaml").replace("maximum: 100", "maximum: 50"));
      await dev.printed(/ {2}changed operation GET \/notes \(listNotes\)/);
      await dev.printed(/tenon: restarted in \d+ ms/);
    });
    expect(answered).toEqual([200]);
    // The printed restart may be that of an earlier save: a busy machine reports one file more than once.
    await until(async () => (await list("?limit=51")).status === 400);
  });

  test("a save of the contract is followed by what it means to clients and handlers", async () => {
    const contract = read("openapi/v1.yaml");
    const renamed = contract.replace(
      /required: \[text\]\n( +properties:\n +)text:/,
      "required: [title]\n$1title:",
    );
    save("openapi/v1.yaml", renamed);
    await dev.printed(
      /tenon: 1 type error, 1 more outside the service \(\d+ ms\); the service runs the saved code anyway/,
    );
    await dev.printed(/^tenon: since the last good contract: [1-9] breaking\b.* changes?$/m);
    await dev.printed(
      /^ {4}Clients may not compile: body\.text is no longer accepted; body\.title is required now\.$/m,
    );
    await dev.printed(/^ {4}Code: .*src\/handlers\/notes\.ts:\d+:\d+/m);
    save("openapi/v1.yaml", contract);
    await dev.printed(/tenon: restarted/);
  });

  test("a service with a type error runs at once, and then VS Code finds the error in what is printed", async () => {
    const { tasks } = JSON.parse(read(".vscode/tasks.json")) as { tasks: readonly Task[] };
    const task = tasks.find(({ command }) => command === "npx tenon dev");
    const { pattern, background } = task?.problemMatcher ?? {};
    const wanted = (regexp = "") => new RegExp(regexp, "m");
    const handlers = read("src/handlers/notes.ts");
    const changed = handlers
      .replace("reply[201]", "reply[202]")
      .replace("notes.list(limit)", '[...notes.list(limit), { id: limit, text: "Saved" }]');
    save("src/handlers/notes.ts", changed);
    await dev.printed(wanted(background?.beginsPattern));
    await dev.printed(/tenon: restarted/);
    const [, file, line, column, code, , message] = await dev.printed(wanted(pattern?.regexp));
    const before = changed.slice(0, changed.indexOf("reply[202]")).split("\n");
    expect([file, line, column, code]).toEqual([
      "src/handlers/notes.ts",
      String(before.length),
      String((before.at(-1) ?? "").length + 1),
      "TS7053",
    ]);
    expect(message).toBe(
      "The contract does not declare status 202 for this operation: 'CreateNoteReplies' has no such reply.",
    );
    const [verdict] = await dev.printed(
      /^tenon: 1 type error \(\d+ ms\); the service runs the saved code anyway$/m,
    );
    expect(verdict).toMatch(wanted(background?.endsPattern));
    expect(await list("?limit=7")).toMatchObject({ status: 200, json: [{ id: 7, text: "Saved" }] });
    save("src/handlers/notes.ts", handlers);
    await dev.printed(/tenon: restarted/);
    const [end] = await dev.printed(/^tenon: no type errors \(\d+ ms\)$/m);
    expect(end).toMatch(wanted(background?.endsPattern));
  });

  test("an operation without a handler responds with 501, and the type check reports it", async () => {
    const contract = read("openapi/v1.yaml");
    const paths = `paths:
  /others:
    get:
      operationId: listOthers
      summary: List others
      description: Lists others.
      tags: [notes]
      responses:
        "204": { description: None. }
        "400": { $ref: "#/components/responses/BadRequest" }
        default: { $ref: "#/components/responses/Failure" }
`;
    save("openapi/v1.yaml", contract.replace("paths:\n", paths));
    await dev.printed(/tenon: restarted/);
    await dev.printed(/^src\/handlers\/index\.ts:\d+:\d+ {2}TS2741 {2}Property 'listOthers' is missing/m);
    await dev.printed(/^tenon: 1 type error \(\d+ ms\); the service runs the saved code anyway$/m);
    const headers = { Authorization: "Bearer development" };
    expect(await send(port, "/v1/others", { headers })).toMatchObject({ status: 501 });
    expect(await list()).toMatchObject({ status: 200 });
    save("openapi/v1.yaml", contract);
    await dev.printed(/^tenon: no type errors \(\d+ ms\)$/m);
  });

  test("types are checked again after a contract with errors has hidden a save", async () => {
    const [contract, handlers] = [read("openapi/v1.yaml"), read("src/handlers/notes.ts")];
    save("openapi/v1.yaml", "paths: [");
    await dev.printed(/tenon: the contract has errors; the last good service is still running/);
    save("src/handlers/notes.ts", `${handlers}export const wrong: number = "text";\n`);
    await dev.printed(/tenon: the contract has errors; the last good service is still running/);
    save("openapi/v1.yaml", contract);
    await dev.printed(/tenon: restarted/);
    await dev.printed(/^tenon: 1 type error \(\d+ ms\); the service runs the saved code anyway$/m);
    save("src/handlers/notes.ts", handlers);
    await dev.printed(/^tenon: no type errors \(\d+ ms\)$/m);
  });

  test("a saved test is checked, and does not restart the service", async () => {
    const [notes, handlers] = [read("test/notes.test.ts"), read("src/handlers/notes.ts")];
    save("test/notes.test.ts", `${notes}\nconst wrong: number = "text";\n`);
    await dev.printed(/^test\/notes\.test\.ts:\d+:7 {2}TS2322 /m);
    await dev.printed(
      /^tenon: nothing changed for the service; 2 type errors outside the service \(\d+ ms\)$/m,
    );
    save("src/handlers/notes.ts", `${handlers}// Changed.\n`);
    await dev.printed(/^tenon: restarted in \d+ ms \([^)]*\)$/m);
    await dev.printed(/^tenon: 2 type errors outside the service \(\d+ ms\)$/m);
    save("test/notes.test.ts", notes);
    await dev.printed(/^tenon: nothing changed for the service; no type errors \(\d+ ms\)$/m);
  });

  test("an installed package is found, and a new API's generated files are no saves", async () => {
    const [notes, redocly, contract] = [
      read("test/notes.test.ts"),
      read("redocly.yaml"),
      read("openapi/v1.yaml"),
    ];
    save("test/notes.test.ts", `${notes}\nexport type { A } from "installed-later";\n`);
    await dev.printed(/^test\/notes\.test\.ts:\d+:\d+ {2}TS2307 /m);
    await dev.printed(/outside the service \(\d+ ms\)$/m);
    mkdirSync(join(folder, "node_modules/installed-later"), { recursive: true });
    save("node_modules/installed-later/package.json", '{ "types": "index.d.ts" }');
    save("node_modules/installed-later/index.d.ts", "export type A = string;\n");
    save("package.json", `${read("package.json")}\n`);
    await dev.printed(/^tenon: nothing changed for the service; no type errors \(\d+ ms\)$/m);
    save("test/notes.test.ts", notes);
    await dev.printed(/^tenon: nothing changed for the service; no type errors \(\d+ ms\)$/m);
    save("openapi/v2.yaml", contract.replaceAll("/v1", "/v2"));
    const v2 =
      "  v2:\n    root: openapi/v2.yaml\n    x-tenon: { output: generated/v2, importExtension: ts }\n";
    save("redocly.yaml", redocly.replace("\nplugins:", `${v2}\nplugins:`));
    await dev.printed(/^created {2}generated\/v2\/server\.ts /m);
    const told = await dev.printed(/no type errors \(\d+ ms\)$/m);
    expect(told.input).not.toContain("saved generated");
    save("redocly.yaml", redocly);
    await dev.printed(/^tenon: nothing changed for the service$/m);
  });

  test("a module that the service loads by its URL is followed", async () => {
    const main = read("src/main.ts");
    save("src/thread.ts", "export {};\n");
    save("src/main.ts", `${main}export const thread = new URL("./thread.js", import.meta.url);\n`);
    await dev.printed(/tenon: restarted/);
    save("src/thread.ts", "export const a = 1;\n");
    await dev.printed(/^tenon: saved src\/thread\.ts$/m);
    await dev.printed(/tenon: restarted/);
  });

  test("a service that does not come up leaves the last good one where it is", async () => {
    const handlers = read("src/handlers/notes.ts");
    save("src/handlers/notes.ts", `${handlers}if (Date.now() > 0) throw new Error("at start");\n`);
    await dev.printed(/Error: at start/);
    await dev.printed(
      /tenon: the new service did not start: .*exit code 1 .*; the last good service is still running/,
    );
    expect(await list()).toMatchObject({ status: 200 });
    save("src/handlers/notes.ts", handlers);
    await dev.printed(/tenon: restarted/);
  });

  test.each([
    [
      "the service's module is gone",
      "src/main.ts",
      /did not start: src\/main\.ts does not exist; the last good/,
    ],
    ["tsconfig.json is broken", "tsconfig.json", /TS1005 {2}'\}' expected/],
  ])("%s: that is told, and the last good service answers", async (_, name, message) => {
    const text = read(name);
    // Without its last brace only: the default options would check all types of the packages.
    if (name === "tsconfig.json") save(name, text.slice(0, text.lastIndexOf("}")));
    else rmSync(join(folder, name));
    await dev.printed(message);
    expect(await list()).toMatchObject({ status: 200 });
    save(name, text);
    await dev.printed(/tenon: restarted/);
  });

  test("a handler's change is served, and no request finds nobody there", async () => {
    const answered = await askDuring(async () => {
      const handlers = read("src/handlers/notes.ts");
      save(
        "src/handlers/notes.ts",
        handlers.replace("notes.list(limit)", '[...notes.list(limit), { id: limit, text: "Mine" }]'),
      );
      await dev.printed(/tenon: restarted/);
    });
    expect(answered).toEqual([200]);
    expect(await list("?limit=7")).toMatchObject({ json: [{ id: 7, text: "Mine" }] });
  });

  test("a file that others now need, and that comes after them, is noticed", async () => {
    const handlers = read("src/handlers/notes.ts");
    save("src/handlers/notes.ts", `${handlers}export { late } from "./late.js";\n`);
    await dev.printed(/TS2307 {2}Cannot find module '\.\/late\.js'/);
    save("src/handlers/late.ts", "export const late = 1;\n");
    await dev.printed(/tenon: restarted/);
  });

  test("a part of the contract in another file is followed", async () => {
    const contract = read("openapi/v1.yaml");
    save("openapi/limit.yaml", "type: integer\nminimum: 1\nmaximum: 50\ndefault: 20\n");
    save("openapi/v1.yaml", contract.replace(/\{ type: integer.*default: 20 \}/, "{ $ref: limit.yaml }"));
    await dev.printed(/tenon: restarted/);
    save("openapi/limit.yaml", read("openapi/limit.yaml").replace("50", "30"));
    await dev.printed(/changed component schemas\/limit/);
    await dev.printed(/tenon: restarted/);
    expect(await list("?limit=31")).toMatchObject({ status: 400 });
  });

  test("a generated file that is changed by hand is told, and generated again", async () => {
    const client = read("generated/v1/client.ts");
    save("generated/v1/client.ts", `${client}// Mine.\n`);
    await dev.printed(/tenon: generated\/v1\/client\.ts was changed by hand; generating it again/);
    await dev.printed(/changed {2}generated\/v1\/client\.ts {2}\+0 -1/);
    await dev.printed(/tenon: restarted/);
    expect(read("generated/v1/client.ts")).toBe(client);

    rmSync(join(folder, "generated/v1/client.ts"));
    await dev.printed(/created {2}generated\/v1\/client\.ts/);
    await dev.printed(/tenon: restarted/);
    expect(read("generated/v1/client.ts")).toBe(client);
  });

  test("what cannot be written is told, and the last good service answers", async () => {
    const client = join(folder, "generated/v1/client.ts");
    rmSync(client);
    mkdirSync(client);
    await dev.printed(
      /tenon: Cannot write generated\/v1\/client\.ts: a folder is in its place; .*; the last good service is still running/,
    );
    expect(await list()).toMatchObject({ status: 200 });
    rmdirSync(client);
    save("openapi/v1.yaml", `${read("openapi/v1.yaml")}\n`);
    await dev.printed(/tenon: restarted/);
  });

  test("the docs page hears of a restart, within its policy", async () => {
    let page = await send(port, "/docs/");
    // They are built while the service already answers.
    await until(async () => (page = await send(port, "/docs/")).status !== 404);
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none';.* connect-src 'self';.* frame-ancestors 'none'$/,
    );
    expect(page.text).toContain('<script src="reload.js">');
    const events = await fetch(`http://127.0.0.1:${port}/docs/reload`);
    expect(events.headers.get("content-type")).toBe("text/event-stream");
    save("src/notes.ts", `${read("src/notes.ts")}// Changed.\n`);
    // Resolves when the stream ends.
    expect(await events.text()).toBe("retry: 200\n\n");
    await dev.printed(/tenon: restarted/);
  });

  test("the docs are built again after a save of redocly.yaml or of a guide", async () => {
    const readGuide = async () => (await send(port, "/docs/start.html")).text;
    mkdirSync(join(folder, "guides"));
    save("guides/start.md", "# Start\n\nThe first text.\n");
    save(
      "redocly.yaml",
      read("redocly.yaml").replace(/^( +)output:.*$/m, "$&\n$1docs: { guides: [guides/start.md] }"),
    );
    await until(async () => (await readGuide()).includes("The first text."));
    save("guides/start.md", "# Start\n\nThe second text.\n");
    await dev.printed(/tenon: saved guides\/start\.md; building the docs/);
    await until(async () => (await readGuide()).includes("The second text."));
  });

  test.each(["abc", "70000", ""])("the service says which PORT it wants, not %p", async (PORT) => {
    const argv = ["--import", TSX, "src/main.ts"];
    const service = new Started(process.execPath, argv, { cwd: folder, env: { PORT, NODE_OPTIONS: "" } });
    await service.printed(/^PORT must be a number from 0 to 65535, found "\w*"\.\n$/);
    expect(await service.ended()).toBe(1);
  });

  test("a large contract's service does not wait for rules that only warn, and they are heard", async () => {
    // The rule that warns waits for a file. The other one reports at once.
    const rule = (severity: "warn" | "error") => {
      const wait =
        severity === "warn"
          ? 'while (!fs.existsSync("go")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);'
          : "";
      return `{ ${severity}: () => ({ Root(_, { report }) { ${wait} report({ message: "Said." }); } }) }`;
    };
    const own = (severity: "warn" | "error") =>
      `import fs from "node:fs";\nexport default () => ({ id: "own-${severity}", rules: { oas3: ${rule(severity)} } });\n`;
    const redocly = read("redocly.yaml");
    const withRule = (severity: string) =>
      `${redocly.split("plugins:")[0] ?? ""}plugins: [./own-${severity}.mjs]\nrules: { own-${severity}/${severity}: ${severity} }\n`;
    save("own-warn.mjs", own("warn"));
    save("own-error.mjs", own("error"));
    const contract = read("openapi/v1.yaml");
    save("go", "");
    save("redocly.yaml", withRule("warn"));
    await dev.printed(/tenon: nothing changed for the service/);
    rmSync(join(folder, "go"));
    save("openapi/v1.yaml", `${contract}x-padding: ${"a".repeat(8_000_000)}\n`);
    await dev.printed(/tenon: restarted/);
    save("go", "");
    await dev.printed(/^openapi\/v1\.yaml:1:1 {2}own-warn\/warn {2}warning: Said\.$/m);
    save("redocly.yaml", withRule("error"));
    await dev.printed(/^openapi\/v1\.yaml:1:1 {2}own-error\/error {2}error: Said\.$/m);
    await dev.printed(/tenon: the contract has errors; the last good service is still running/);
    save("openapi/v1.yaml", contract);
    save("redocly.yaml", redocly);
    await dev.printed(/tenon: restarted/);
  });

  test("Ctrl-C stops everything with exit code 0", async () => {
    expect(await dev.stop("SIGINT")).toBe(0);
    await expect(list()).rejects.toThrow("ECONNREFUSED");
  });

  test("a save replaces a service that is still starting", async () => {
    const free = createServer();
    debugPort = await listen(free);
    await close(free);
    const main = read("src/main.ts");
    save("src/main.ts", 'console.log("loaded");\nfor (;;);\nexport {};\n');
    dev = start([...PATIENT_DEV, "--no-types", "--inspect", String(debugPort)]);
    await dev.printed(/^loaded$/m);
    save("src/main.ts", main);
    await dev.printed(/^tenon: saved src\/main\.ts$/m);
    await dev.printed(/^tenon: started in /m);
  });

  test("--inspect lets a debugger connect to every new service, at one port", async () => {
    const find = async () => (await fetch(`http://127.0.0.1:${debugPort}/json/list`)).json();
    expect(await find()).toEqual([expect.objectContaining({ type: "node" })]);
    save("src/notes.ts", `${read("src/notes.ts")}// Debugged.\n`);
    await dev.printed(new RegExp(`^Debugger listening on ws://127\\.0\\.0\\.1:${debugPort}/`, "m"));
    await dev.printed(/tenon: restarted/);
    expect(await find()).toEqual([expect.objectContaining({ type: "node" })]);
  });

  test("--no-types starts a service with type errors", async () => {
    const handlers = read("src/handlers/notes.ts");
    save("src/handlers/notes.ts", `${handlers}\nexport const wrong: number = "text";\n`);
    await dev.printed(/^tenon: restarted in \d+ ms \(service \d+\)$/m);
    save("src/handlers/notes.ts", handlers);
    await dev.printed(/^tenon: restarted in \d+ ms \(service \d+\)$/m);
  });

  test("killed, it leaves no service behind that answers", async () => {
    save("src/notes.ts", `${read("src/notes.ts")}// Killed.\n`);
    const [, text] = await dev.printed(DOCS);
    port = Number(text);
    expect(await list()).toMatchObject({ status: 200 });
    expect(await dev.stop("SIGKILL")).toBeNull();
    await expect(list()).rejects.toThrow("ECONNREFUSED");
  });

  test("--start-limit gives up on a service that does not listen in time", async () => {
    const main = read("src/main.ts");
    save("src/main.ts", "setInterval(() => undefined, 1000);\nexport {};\n");
    const other = start([MAIN, "dev", "--start-limit", "0.5"]);
    await other.printed(/did not start: it was not listening after 0\.5 s; nothing runs until this is fixed/);
    expect(await other.stop("SIGINT")).toBe(0);
    save("src/main.ts", main);
  });

  test("Ctrl-C while the service starts is heard at once, and leaves nothing behind", async () => {
    const main = read("src/main.ts");
    save("src/main.ts", 'console.log("loaded");\nsetInterval(() => undefined, 1000);\nexport {};\n');
    const other = start(PATIENT_DEV);
    await other.printed(/^loaded$/m);
    expect(await other.stop("SIGINT")).toBe(0);
    save("src/main.ts", main);
  });

  test("Ctrl-C while a save waits for the first start leaves nothing behind", async () => {
    const main = read("src/main.ts");
    save("src/main.ts", 'console.log("loaded");\nsetInterval(() => undefined, 1000);\nexport {};\n');
    const other = start(PATIENT_DEV);
    await other.printed(/^loaded$/m);
    save("src/main.ts", main);
    expect(await other.stop("SIGINT")).toBe(0);
  });

  test.each(["SIGTERM", "Ctrl-C"])("under `npm run dev`, %s stops everything", async (signal) => {
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    const command = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
    writeFileSync(join(folder, "node_modules/.bin/tenon"), command, { mode: 0o755 });
    const other = new Started("npm", ["run", "dev"], { cwd: folder, env: { PORT: "0", NODE_OPTIONS: "" } });
    const [, text] = await other.printed(DOCS);
    await other.printed(/tenon: started/);
    expect(await (signal === "Ctrl-C" ? other.interrupt() : other.stop("SIGTERM"))).toBe(0);
    await expect(send(Number(text), "/v1/notes")).rejects.toThrow("ECONNREFUSED");
  });

  test("killed, it leaves no service behind that is blocked", async () => {
    const main = read("src/main.ts");
    save("src/main.ts", 'console.log("loaded");\nfor (;;);\nexport {};\n');
    const other = start(PATIENT_DEV);
    await other.printed(/^loaded$/m);
    expect(await other.stop("SIGKILL")).toBeNull();
    save("src/main.ts", main);
  });

  test("does not begin where it cannot write", async () => {
    rmSync(join(folder, "generated"), { recursive: true });
    save("generated", "mine");
    const other = start();
    await other.printed(/^Cannot write generated\/v1\S*: a part of its path is a file and no folder; /m);
    expect(await other.ended()).toBe(2);
  });
});
