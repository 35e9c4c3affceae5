import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { close, listen, send } from "./support/http.js";
import { compile, installTenon } from "./tenon/cli/compile.js";
import { Started } from "./tenon/cli/started.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const section = readme.split("### The runtime in an Express app\n")[1]?.split("\n## ")[0] ?? "";
const [, example = ""] = /```ts\n([^]*?)```/.exec(section) ?? [];

describe("README's app on the runtime", () => {
  let folder = "";
  let port = 0;
  let app: Started;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-readme-")));
    mkdirSync(join(folder, "generated/v1"), { recursive: true });
    for (const file of readdirSync(join(ROOT, "generated/v1")))
      copyFileSync(join(ROOT, "generated/v1", file), join(folder, "generated/v1", file));
    installTenon(folder, ["express", "@types/express", "@types/node", "tsx"]);
    const free = createServer();
    port = await listen(free);
    await close(free);
    writeFileSync(join(folder, "app.ts"), example.replace("listen(3000)", `listen(${port})`));
    app = new Started(process.execPath, ["--conditions=tenon-source", "--import", "tsx", "app.ts"], {
      cwd: folder,
      env: { NODE_OPTIONS: "" },
    });
    for (let tries = 0; tries < 200; tries += 1) {
      const answer = await send(port, "/nowhere").catch(() => undefined);
      if (answer !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }, 60_000);

  afterAll(async () => {
    await app.stop("SIGKILL");
    rmSync(folder, { recursive: true });
  });

  test("compiles under the strictest settings", () => {
    expect(compile(folder, ["app.ts"])).toEqual([]);
  }, 60_000);

  test("serves the contract, and the rest of the app beside it", async () => {
    const headers = { authorization: "Bearer secret", "content-type": "application/json" };
    const body = '{"name":"Rex","categoryId":1}';
    const pet = { id: 1, name: "Rex", categoryId: 1 };
    expect(await send(port, "/v1/pets", { method: "POST", headers, body })).toMatchObject({
      status: 201,
      json: pet,
    });
    expect(await send(port, "/v1/pets", { headers })).toMatchObject({ status: 200, json: [pet] });
    expect(await send(port, "/v1/pets/2", { headers })).toMatchObject({
      status: 404,
      json: { code: "pet_not_found" },
    });
    expect(await send(port, "/v1/pets")).toMatchObject({ status: 401, json: { code: "unauthorized" } });
    expect(await send(port, "/echo", { method: "POST", headers, body })).toMatchObject({
      status: 200,
      json: JSON.parse(body) as unknown,
    });
    expect(await send(port, "/nowhere")).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect(await send(port, `/${"x".repeat(9_000)}`)).toMatchObject({
      status: 414,
      json: { code: "uri_too_long" },
    });
  });
});

describe("README's tables of the runtime", () => {
  /** Members that an interface of the runtime declares itself. */
  const declared = (file: string, name: string): string[] => {
    const text = readFileSync(join(ROOT, "src/tenon/runtime", file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023);
    const found = source.statements.find(
      (node) => ts.isInterfaceDeclaration(node) && node.name.text === name,
    );
    return (found as ts.InterfaceDeclaration).members.map((member) => (member.name as ts.Identifier).text);
  };

  test("have every option, and no other", () => {
    const api = [
      "handlers",
      ...declared("api-options.ts", "BaseOptions"),
      ...declared("error-content.ts", "ErrorContentOptions"),
      ...declared("failure.ts", "FailureOptions"),
      ...declared("body.ts", "BodyLimits"),
    ];
    const [first = [], second = []] = section
      .split(/^\| Option.*\n\| -.*\n/m)
      .slice(1)
      .map((table) => table.slice(0, table.indexOf("\n\n")).split("\n"))
      .map((rows) => rows.map((row) => /`(\w+)`/.exec(row)?.[1]));
    expect([...first].sort()).toEqual(api.sort());
    expect([...second].sort()).toEqual(declared("http-server.ts", "HttpServerOptions").sort());
  });
});
