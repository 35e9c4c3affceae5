import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { CONFIG_VARIABLES } from "../../src/petstore/config.js";
import { createDirectory } from "../support/directory.js";
import { close, listen, send } from "../support/http.js";
import { until } from "../support/until.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, "deploy", path), "utf8");

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

/** Paths that the build sees, by the file that says what it ignores. */
const context = read("Dockerfile.dockerignore")
  .split("\n")
  .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));

/** The service as the image has it, made by the image's own build. */
let image: string;
beforeAll(() => {
  const folder = createDirectory();
  for (const path of context) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // Not below it, where packages that are missing would be found.
  image = join(createDirectory(), "app");
  const command = all("RUN").find((rest) => rest.includes("npm run build")) ?? "";
  const built = spawnSync(command.replaceAll("/out", image), { cwd: folder, encoding: "utf8", shell: true });
  if (built.status !== 0) throw new Error(`The build fails: ${built.stdout}${built.stderr}`);
});

describe("the image", () => {
  test("has only instructions that there are, and starts each stage from a version", () => {
    const known = ["FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"];
    expect(instructions.filter(({ name, rest }) => !known.includes(name) || rest === "")).toStrictEqual([]);
    for (const from of all("FROM")) expect(from).toMatch(/^node:\d+-\w+-slim( AS \w+)?$/);
  });

  test("copies what there is, and what its build needs is not ignored", () => {
    expect(read("Dockerfile.dockerignore").split("\n")).toContain("*");
    const [first = ""] = all("COPY");
    for (const path of first.split(" ").slice(0, -1)) expect(context).toContain(path);
    expect(context.filter((path) => /secret|node_modules|data|\.git/.test(path))).toStrictEqual([]);
    const built = all("COPY").flatMap((rest) => / (\/out\S*) \S+$/.exec(rest)?.[1] ?? []);
    expect(built.filter((path) => !existsSync(path.replace("/out", image)))).toStrictEqual([]);
    expect(built).toHaveLength(2);
  });

  test("runs as a user without rights, by node itself, and without npm", () => {
    expect(only("USER")).toBe("node");
    const last = instructions.findIndex(({ name }) => name === "USER");
    expect(instructions.slice(last).map(({ name }) => name)).not.toContain("RUN");
    const [program] = JSON.parse(only("CMD")) as string[];
    expect(program).toBe("node");
    expect(all("RUN").join("\n")).toContain("rm -rf /usr/local/lib/node_modules /usr/local/bin/npm");
  });

  test("holds what the service loads, and nothing of the toolkit's", () => {
    const packages = readdirSync(join(image, "node_modules"));
    expect(packages).toContain("express");
    for (const name of ["typescript", "@redocly", "jest", "eslint", "redoc"])
      expect(packages).not.toContain(name);
  });
});

describe("its command", () => {
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
    expect(await send(port, "/docs/redoc.js")).toMatchObject({ status: 200 });
    expect(await send(port, "/openapi.yaml")).toMatchObject({ status: 200 });
  });

  test("is healthy while it serves, and not when it does not answer, or not well", async () => {
    expect(await check(Number(new URL(url).port))).toStrictEqual({ code: 0, said: "" });
    const red = createServer((_, response) => response.writeHead(503).end());
    const silent = createServer(() => undefined);
    const [redPort, silentPort] = [await listen(red), await listen(silent)];
    expect(await check(redPort)).toStrictEqual({ code: 1, said: "/readyz answered 503\n" });
    const limit = "/readyz does not answer in time\n";
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
    expect(existsSync(join(ROOT, "deploy", folder, dockerfile))).toBe(true);
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
    expect(readFileSync(join(ROOT, ".gitignore"), "utf8")).toContain("deploy/secrets/\n");
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
