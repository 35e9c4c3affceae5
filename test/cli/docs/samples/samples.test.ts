// @thorough: runs samples in several languages.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startPetStore } from "../../../support/petstore.js";
import { compile, installTenon } from "../../commands/compile.js";
import { runIn } from "../../commands/run.js";
import { createProject } from "../../load/project.js";
import { loadRouted, serve } from "../../mock/serve.js";
import { renderPages } from "../rendered.js";
import { ask } from "../serve.js";
import {
  findInvalidGo,
  findInvalidPython,
  readSamples,
  RUN_ENDINGS,
  runSamples,
  writeSamples,
} from "./run-samples.js";

/** Contracts with what is hard to say, each with how many operations can be called at least. */
const HARD = [
  ["credentials", "test/cli/docs/samples/credentials.yaml", 18],
  ["parameters", "test/fixtures/parameters/openapi.yaml", 20],
  ["media-types", "test/fixtures/media-types/openapi.yaml", 10],
] as const;

/** The API whose calls are in groups. */
const GROUPED = "parameters";

const KEYS = ["BEARER", "API", "PATH", "SESSION", "OAUTH", "OPEN_ID", "OTHER"].map((name) => `${name}_KEY`);

describe("samples of code", () => {
  const cleanups: (() => Promise<void>)[] = [];
  let folder = "";
  let files: readonly string[] = [];
  let statuses: Readonly<Record<string, number>> = {};

  // All of them are run once: starting processes takes most of the time.
  beforeAll(async () => {
    const apis = [["v1", "openapi/v1.yaml"], ...HARD] as const;
    folder = await createClients(apis.map(([name, file]) => [name, file]));
    const store = await startPetStore();
    cleanups.push(() => store.stop());
    await store.create({ name: "Rex", categoryId: 1 });
    const { bytes } = await ask(`${store.url}/docs/`);
    const written = [...writeSamples(readSamples([bytes.toString("utf8")], `${store.url}/docs/`), folder)];

    for (const [name, file] of HARD) {
      const mock = await serve(await loadRouted(file));
      cleanups.push(() => mock.stop());
      const text = readFileSync(`${folder}/generated/${name}/contract.json`, "utf8");
      const client = `../generated/${name}/client.js`;
      const options = { service: mock.url, client, groupByTag: name === GROUPED };
      const pages = Object.values(renderPages(JSON.parse(text) as object, options));
      const samples = readSamples(pages, "file:///docs/index.html");
      const calls = samples.filter(({ label }) => label === "client").map(({ source }) => source);
      for (const call of calls)
        expect(call).toMatch(name === GROUPED ? / await client\.\w+\.\w+\(/ : / await client\.\w+\(/);
      written.push(...writeSamples(samples, folder, name));
    }
    files = written;
    const env = { ...Object.fromEntries(KEYS.map((name) => [name, "a-key"])), API_KEY: store.key };
    statuses = await runSamples(files, {
      folder,
      // Files that exist: over HTTP they are not read.
      env: {
        ...env,
        CERTIFICATE_CERTIFICATE: "package.json",
        CERTIFICATE_PRIVATE_KEY: "package.json",
        BASIC_AUTH_USERNAME: "somebody",
        BASIC_AUTH_PASSWORD: "secret",
      },
    });
  });

  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  test("the pet store's page has some of every operation, and they run as they stand", () => {
    const want = { listPets: 200, createPet: 201, "createPet-2": 201, getPet: 200, listOrders: 501 };
    const own = Object.entries(statuses).filter(([file]) => !file.includes("/"));
    expect(Object.fromEntries(own)).toEqual(
      Object.fromEntries(
        Object.entries(want).flatMap(([id, status]) =>
          RUN_ENDINGS.map((ending) => [`${id}${ending}`, status]),
        ),
      ),
    );
  });

  test.each(HARD)("a mock takes all of %s", (name, _, least) => {
    const own = files.filter((file) => file.startsWith(`${name}/`) && RUN_ENDINGS.includes(extname(file)));
    expect(own.length / RUN_ENDINGS.length).toBeGreaterThanOrEqual(least);
    expect(own.filter((file) => !((statuses[file] ?? 0) >= 200 && (statuses[file] ?? 0) < 300))).toEqual([]);
  });

  test("those in Python are valid", () => {
    expect(files.some((file) => file.endsWith(".py"))).toBe(true);
    expect(findInvalidPython(files, folder)).toEqual([]);
  });

  test("those in Go are valid and formatted", () => {
    const own = files.filter((file) => file.endsWith(".go"));
    expect(own.length).toBeGreaterThan(20);
    for (const file of own) {
      const text = readFileSync(join(folder, file), "utf8");
      const [, imports = ""] = /^import \(\n([^)]*)\)/m.exec(text) ?? [];
      // The compiler refuses an import that is not used, and a package that is not imported.
      const imported = imports.split("\n").flatMap((line) => /(\w+)"$/.exec(line)?.[1] ?? []);
      const code = text.slice(text.indexOf("func main")).replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
      const used = code.match(/(?<![\w.])(?:fmt|io|http|url|os|strings)(?=\.[A-Z])/g);
      expect([file, [...new Set(used)].sort()]).toEqual([file, [...imported].sort()]);
    }
    expect(findInvalidGo(files, folder) ?? []).toEqual([]);
  });

  test("those of the client compile where everything is strict", () => {
    const modules = files.filter((file) => file.endsWith(".ts"));
    expect(modules).not.toEqual([]);
    expect(compile(folder, modules)).toEqual([]);
  });
});

/** A project with contracts and their generated clients. */
async function createClients(apis: readonly (readonly [name: string, file: string])[]): Promise<string> {
  const entries = apis.map(
    ([name]) =>
      `  ${name}:\n    root: ${name}.yaml\n    x-tenon: { output: generated/${name}, groupByTag: ${name === GROUPED} }\n`,
  );
  const contracts = apis.map(([name, file]) => {
    const url = new URL(`../../../../${file}`, import.meta.url);
    return [`${name}.yaml`, readFileSync(fileURLToPath(url), "utf8")] as const;
  });
  const project = createProject({
    "redocly.yaml": `apis:\n${entries.join("")}rules:\n  struct: error\n  no-unresolved-refs: error\n`,
    "package.json": '{ "type": "module" }',
    ...Object.fromEntries(contracts),
  });
  installTenon(project, ["openapi-fetch"]);
  expect(await runIn(project, "generate")).toMatchObject({ exitCode: 0 });
  return project;
}
