// @thorough: builds what a container holds.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:http";
import { isBuiltin } from "node:module";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { CONFIG_VARIABLES } from "../../src/petstore/config.js";
import { linkInstalled } from "../cli/commands/packed.js";
import { createDirectory } from "../support/directory.js";
import { close, listen, send } from "../support/http.js";
import { until } from "../support/until.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = "src/petstore/deploy";
const read = (path: string): string => readFileSync(join(ROOT, FOLDER, path), "utf8");

/** Instructions of a Dockerfile, in their order: the first word and the rest. */
const instructions = read("Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n/g, " ")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const [, name = "", rest = ""] = /^(\S+) +(.*)$/.exec(line) ?? [];
    return { name, rest };
  });
const all = (name: string): readonly string[] =>
  instructions.filter((one) => one.name === name).map(({ rest }) => rest);
const only = (name: string): string => {
  const found = all(name);
  expect(found).toHaveLength(1);
  return found[0] ?? "";
};

/** Files that are copied from the repository, and files that are copied from the first stage with their target. */
const sources = all("COPY").flatMap((rest) => (rest.startsWith("--") ? [] : rest.split(" ").slice(0, -1)));
const results = all("COPY").flatMap((rest) => {
  const [, from, to] = /^--from=build \/app\/(\S+) \.\/(\S*)$/.exec(rest) ?? [];
  return from === undefined || to === undefined
    ? []
    : [{ from, to: to.replace(/^$|\/$/, `$&${basename(from)}`) }];
});

const patterns = read("Dockerfile.dockerignore")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Whether the build sees a path of the repository: the last pattern that covers it decides. */
function isSent(path: string): boolean {
  const covers = (pattern: string) =>
    new RegExp(`^${pattern.replace(/^!/, "").replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(?:/|$)`).test(
      path,
    );
  return patterns.filter(covers).at(-1)?.startsWith("!") ?? true;
}

/** What is in the image is tested on request, since its build takes minutes. */
const isAsked = process.env["TENON_PACKAGE_TEST"] !== undefined;
const testBuilt = isAsked ? test : test.skip;

/** The folder that the image has as `/app`, made by the image's own build. */
let image: string;
beforeAll(() => {
  if (!isAsked) return;
  const folder = createDirectory();
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (path) => relative(ROOT, path) === "" || isSent(relative(ROOT, path)),
  });
  // In place of the first command, which installs what is installed here.
  linkInstalled(folder);
  const [install = "", ...commands] = all("RUN").slice(0, -1);
  expect(install).toMatch(/^npm ci /);
  const env = { ...process.env, npm_config_prefer_offline: "true" };
  for (const command of commands) {
    const { status, stdout, stderr } = spawnSync(command, {
      cwd: folder,
      encoding: "utf8",
      shell: true,
      env,
    });
    if (status !== 0) throw new Error(`${command} fails: ${stdout}${stderr}`);
  }
  // Not below it, where packages that are missing would be found.
  image = join(createDirectory(), "app");
  mkdirSync(image);
  for (const { from, to } of results)
    cpSync(join(folder, from), join(image, to), { recursive: true, verbatimSymlinks: true });
});

/** `name@version` of every package below a `node_modules`. */
function listPackages(modules: string): readonly string[] {
  return readdirSync(modules).flatMap((name) => {
    const folder = join(modules, name);
    if (name.startsWith(".")) return [];
    if (name.startsWith("@")) return listPackages(folder);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name: string;
      version: string;
    };
    const inner = join(folder, "node_modules");
    return [`${manifest.name}@${manifest.version}`, ...(existsSync(inner) ? listPackages(inner) : [])];
  });
}

describe("the image", () => {
  test("has only instructions that there are, and starts each stage from a version", () => {
    const known = ["FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"];
    expect(instructions.filter(({ name, rest }) => !known.includes(name) || rest === "")).toStrictEqual([]);
    expect(all("FROM")).toHaveLength(2);
    for (const from of all("FROM")) expect(from).toMatch(/^node:\d+-\w+-slim( AS \w+)?$/);
  });

  test("copies what there is, and what its build needs is not ignored", () => {
    expect(patterns[0]).toBe("*");
    for (const path of sources.filter((source) => source !== "."))
      expect([path, isSent(path)]).toEqual([path, true]);
    for (const path of [".git", "node_modules", "data", "src/cli/dist", `${FOLDER}/secrets/database_url`])
      expect([path, isSent(path)]).toEqual([path, false]);
    // Each copy is one that this test has understood.
    expect(results).toHaveLength(all("COPY").filter((rest) => rest.startsWith("--")).length);
  });

  testBuilt("has all that is copied", () => {
    expect(results.filter(({ to }) => !existsSync(join(image, to)))).toStrictEqual([]);
  });

  test("runs as a user without rights, by node itself, and without npm", () => {
    expect(only("USER")).toBe("node");
    const last = instructions.findIndex(({ name }) => name === "USER");
    expect(instructions.slice(last).map(({ name }) => name)).not.toContain("RUN");
    const [program] = JSON.parse(only("CMD")) as string[];
    expect(program).toBe("node");
    expect(all("RUN").at(-1)).toContain("rm -rf /usr/local/lib/node_modules /usr/local/bin/npm");
    // The one folder that this user may write to.
    expect(all("RUN").at(-1)).toContain("install -d -o node -g node data");
  });

  testBuilt("holds the production packages of the service, as npm run sbom lists them, and no others", () => {
    const sbom = spawnSync(process.execPath, ["scripts/sbom.mjs"], { cwd: ROOT, encoding: "utf8" });
    const { components } = JSON.parse(sbom.stdout) as {
      components: readonly { "bom-ref": string; name: string; scope: "required" | "optional" }[];
    };
    const required = components.filter(({ name, scope }) => name !== "petstore" && scope === "required");
    const want = required.map((component) => component["bom-ref"]);
    expect([...new Set(listPackages(join(image, "node_modules")))].sort()).toEqual(want.sort());
    expect(want.length).toBeGreaterThan(100);
  });

  testBuilt("holds tenon as files and not as a link to the repository", () => {
    const tenon = join(image, "node_modules/tenon");
    expect(lstatSync(tenon).isDirectory()).toBe(true);
    expect(readdirSync(tenon).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  });
});

(isAsked ? describe : describe.skip)("its command", () => {
  let service: ReturnType<typeof startService>;
  let url = "";
  let out = "";

  function startService(): ReturnType<typeof spawn> {
    const [, ...argv] = JSON.parse(only("CMD")) as string[];
    chmodSync(image, 0o555);
    const child = spawn(process.execPath, argv, {
      cwd: image,
      env: {
        NODE_ENV: "production",
        HOST: "127.0.0.1",
        PORT: "0",
        DATABASE_URL: `sqlite:${createDirectory()}/pets.db`,
        DRAIN_DELAY_MS: "0",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.on("data", (chunk: Buffer) => {
      out += String(chunk);
      url = /"url":"([^"]+)"/.exec(out)?.[1] ?? url;
    });
    return child;
  }

  beforeAll(async () => {
    // The Node.js of the image has SQLite; this one may need the package.
    if (!isBuiltin("node:sqlite")) {
      mkdirSync(join(image, "node_modules/@photostructure"));
      const name = "node_modules/@photostructure/sqlite";
      symlinkSync(join(ROOT, name), join(image, name));
    }
    service = startService();
    await until(() => {
      if (service.exitCode !== null) throw new Error("The service has ended");
      return url !== "";
    });
  });
  afterAll(() => {
    service.kill("SIGKILL");
    chmodSync(image, 0o755);
  });

  /** Runs the health check of the image. */
  async function check(port: number): Promise<{ readonly code: unknown; readonly said: string }> {
    const [, command = ""] = /CMD (\[.*\])$/.exec(only("HEALTHCHECK")) ?? [];
    const [, ...argv] = JSON.parse(command) as string[];
    const env = { HOST: "0.0.0.0", PORT: String(port) };
    const child = spawn(process.execPath, argv, { cwd: image, env, stdio: ["ignore", "inherit", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += String(chunk)));
    const [code] = (await once(child, "close")) as unknown[];
    return { code, said };
  }

  test("serves the contract's operations and the docs", async () => {
    const port = Number(new URL(url).port);
    expect(await send(port, "/v1/pets")).toMatchObject({ status: 401 });
    expect(await send(port, "/docs/")).toMatchObject({ status: 200 });
    expect(await send(port, "/docs/docs.js")).toMatchObject({ status: 200 });
    expect(await send(port, "/openapi.yaml")).toMatchObject({ status: 200 });
  });

  test("is healthy while it serves, and not when it does not answer, or not well", async () => {
    expect(await check(Number(new URL(url).port))).toStrictEqual({ code: 0, said: "" });
    const red = createServer((_, response) => response.writeHead(503).end());
    const silent = createServer(() => undefined);
    const [redPort, silentPort] = [await listen(red), await listen(silent)];
    expect(await check(redPort)).toStrictEqual({ code: 1, said: "/readyz responded with 503\n" });
    const limit = "/readyz does not respond in time\n";
    expect(await check(silentPort)).toStrictEqual({ code: 1, said: limit });
    await Promise.all([close(red), close(silent)]);
    const { code, said } = await check(redPort);
    expect([code, said]).toStrictEqual([1, expect.stringContaining("ECONNREFUSED")]);
  });

  test("ends by itself when it is told to", async () => {
    service.kill("SIGTERM");
    expect(await once(service, "close")).toStrictEqual([0, null]);
    expect(out).toContain('"stopped"');
  });
});

interface Compose {
  readonly services: Readonly<
    Record<
      "petstore" | "database",
      {
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly environment: Readonly<Record<string, string>>;
        readonly secrets: readonly string[];
        readonly healthcheck?: object;
        readonly ports?: readonly string[];
        readonly stop_grace_period: string;
        readonly [key: string]: unknown;
      }
    >
  >;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: object;
}

describe("compose.yaml", () => {
  const { services, secrets, volumes } = parse(read("compose.yaml")) as Compose;
  const { petstore, database } = services;

  test("builds this image, and sets variables that there are", () => {
    const { context: folder = "", dockerfile = "" } = petstore.build ?? {};
    expect(existsSync(join(ROOT, FOLDER, folder, dockerfile))).toBe(true);
    const known = CONFIG_VARIABLES.map(({ name }) => name);
    expect(Object.keys(petstore.environment).filter((name) => !known.includes(name))).toStrictEqual([]);
    expect(petstore.ports).toStrictEqual(["127.0.0.1:3000:3000"]);
  });

  test("waits for the database, and keeps what it holds", () => {
    expect(petstore["depends_on"]).toStrictEqual({ database: { condition: "service_healthy" } });
    expect(database.healthcheck).toBeDefined();
    const [[name = ""] = []] = (database["volumes"] as string[]).map((volume) => volume.split(":"));
    expect(volumes).toHaveProperty(name);
  });

  test("has secrets in files that git ignores, and none in variables", () => {
    for (const service of Object.values(services)) {
      for (const name of service.secrets) {
        expect(Object.values(service.environment)).toContain(`/run/secrets/${name}`);
        expect(secrets[name]?.file).toBe(`secrets/${name}`);
      }
    }
    expect(readFileSync(join(ROOT, ".gitignore"), "utf8")).toContain(`${FOLDER}/secrets/\n`);
    expect(JSON.stringify(services)).not.toMatch(/:\/\/[^"]*:[^"]*@|PASSWORD":/);
  });

  test("gives the service no right and nothing to write to but its volume", () => {
    expect(petstore).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  });

  test("waits for the end longer than the service takes", () => {
    const ms = (name: string): number => {
      const { default: usual, productionDefault = usual } =
        CONFIG_VARIABLES.find((variable) => variable.name === name) ?? {};
      return Number(productionDefault);
    };
    const grace = Number(/^(\d+)s$/.exec(petstore.stop_grace_period)?.[1]) * 1000;
    expect(grace).toBeGreaterThan(ms("DRAIN_DELAY_MS") + ms("SHUTDOWN_GRACE_MS") + 5_000);
  });
});
