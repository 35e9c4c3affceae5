// @slow: asks the compiler about a client, and bundles it.
/* eslint-disable @typescript-eslint/no-deprecated -- the operation that can fail is deprecated */
import { createServer, type RequestListener, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { build } from "esbuild";
import express from "express";
import { createContractClient, ResponseError } from "tenon/client";
import { GENERATED_VERSION } from "tenon/core/version";
import ts from "typescript";
import * as petlike from "../../fixtures/petlike/generated/client.js";
import { createApi, type ErrorBody, type Pet } from "../../fixtures/petlike/generated/server.js";
import * as hostile from "../../fixtures/hostile/generated/client.js";
import * as split from "../../fixtures/split/generated/client.js";
import { toCalls } from "../../support/calls.js";
import { close, listen } from "../../support/http.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const REX: Pet = { id: 1, name: "Rex", categoryId: 1 };
const MISSING: ErrorBody = { code: "pet_not_found", message: "No such animal.", status: 404 };

const urls: string[] = [];
let server: Server;
let client: petlike.Client;
let bare: ReturnType<typeof petlike.createBareClient>;

beforeAll(async () => {
  const api = createApi({
    authenticators: { bearerAuth: () => ({ owner: "x" }) },
    context: () => ({}),
    errorBody: ({ code, message, status }): ErrorBody => ({ code, message, status }),
    handlers: {
      listPets: (_, reply) => reply[200]([REX]),
      createPet: ({ body }, reply) => reply[201]({ ...body, id: 1 }),
      getPet: ({ path }, reply) => (path.petId === 1 ? reply[200](REX) : reply[404](MISSING)),
    },
  });
  const app = express().use((request, response, next) => {
    urls.push(`${request.method} ${request.url}`);
    response.setHeader("X-Request-Id", "r-1");
    next();
  }, api);
  server = createServer(app as RequestListener);
  const options = { baseUrl: `http://127.0.0.1:${await listen(server)}/v1`, apiKey: "key" };
  client = petlike.createClient(options);
  bare = petlike.createBareClient(options);
});

afterAll(() => close(server));

describe("calls by operation", () => {
  test("send parameters by place and the body, beside the options of fetch", async () => {
    const listed = await client.listPets({ query: { limit: 5, status: "sold" }, headers: { "X-A": "1" } });
    expect(listed).toMatchObject({ status: 200, data: [REX] });
    expect(urls.at(-1)).toBe("GET /v1/pets?limit=5&status=sold");
    expect(await client.createPet({ body: { name: "Tom", categoryId: 2 } })).toMatchObject({ status: 201 });
    const signal = AbortSignal.abort(new Error("Enough"));
    await expect(client.listPets({ signal })).rejects.toThrow("Enough");
  });

  test("narrow their result by status", async () => {
    const result = await client.getPet({ path: { petId: 2 } });
    let found: Pet | ErrorBody | undefined;
    if (result.status === 200) found = result.data satisfies Pet;
    if (result.status === 404) found = result.error satisfies ErrorBody;
    expect(found).toEqual(MISSING);
  });

  test("are also functions of the module, for any client", async () => {
    expect((await petlike.listPets(bare)).status).toBe(200);
    expect((await petlike.getPet(client, { path: { petId: 1 } })).data).toEqual(REX);
    expect(Object.keys(bare)).toEqual([]);
  });

  test("are grouped by tag if redocly.yaml says so", () => {
    const grouped = split.createClient({ baseUrl: "https://x" });
    expect(Object.keys(grouped.Pets)).toEqual(Object.keys(grouped.Pets).sort());
    expect(grouped).not.toHaveProperty(Object.keys(grouped.Pets)[0] ?? "");
    expect(typeof Object.values(grouped.Pets)[0]).toBe("function");
  });

  test("have other names than the members of a client and the reserved words", async () => {
    const calls = toCalls({ "/a": { get: { responses: [200] } } });
    const contract = { tenon: GENERATED_VERSION, securitySchemes: {}, security: [] };
    const all = createContractClient(
      contract,
      { ...calls, GET: Object.values(calls)[0] as object },
      { baseUrl: "x" },
    );
    expect((all as { GET: object }).GET).not.toHaveProperty("operation");
    const { delete_, __proto___ } = hostile.createClient({ baseUrl: "https://x", credentials: {} });
    expect([delete_.operation.id, __proto___.operation.id]).toEqual(["delete", "__proto__"]);
    // A client can be awaited: it is not a promise.
    expect(await Promise.resolve(client)).toBe(client);
  });
});

describe("orThrow", () => {
  test("resolves to the body of a successful response", async () => {
    const pets: Pet[] = await client.listPets().orThrow();
    expect(pets).toEqual([REX]);
    expect(await client.GET("/pets/{petId}", { params: { path: { petId: 1 } } }).orThrow()).toEqual(REX);
    expect(await petlike.createPet(bare, { body: { name: "Tom", categoryId: 2 } }).orThrow()).toMatchObject({
      name: "Tom",
    });
  });

  test("rejects with an error that has the operation, the status, the body and the ID of the request", async () => {
    const error: unknown = await client
      .getPet({ path: { petId: 2 } })
      .orThrow()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ operationId: "getPet", status: 404, body: MISSING, requestId: "r-1" });
    expect((error as Error).message).toBe(
      `getPet failed with status 404 (request r-1): ${JSON.stringify(MISSING)}`,
    );
    expect(client.listPets.isError(error)).toBe(false);
    if (!client.getPet.isError(error)) throw error;
    const code: string = error.status === 404 ? error.body.code : "";
    expect(code).toBe("pet_not_found");
  });
});

test("types refuse what the contract does not declare", () => {
  const calls = [
    // @ts-expect-error the contract has no such parameter
    () => client.listPets({ query: { limits: 5 } }),
    // @ts-expect-error the path is required
    () => client.getPet(),
    // @ts-expect-error the operation has no body
    () => client.getPet({ path: { petId: 1 }, body: {} }),
    // @ts-expect-error a member of the body is missing
    () => client.createPet({ body: { name: "Tom" } }),
    // @ts-expect-error the contract has no such operation
    () => "listDogs" satisfies keyof petlike.Client,
    // @ts-expect-error a function of the module needs a client
    () => petlike.listPets({ query: { limit: 5 } }),
  ];
  expect(calls).toHaveLength(6);
});

test("editors find an operation's docs and declaration, and that it is deprecated", () => {
  const file = `${ROOT}test/tenon/client/asked.ts`;
  const text = [
    'import { createClient } from "../../../generated/v1/client.js";',
    'const client = createClient({ baseUrl: "" });',
    "void client.listPets();",
    "void client.getPet({ path: { petId: 1 } });",
  ].join("\n");
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const found = path === file ? text : ts.sys.readFile(path);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    readDirectory: () => [],
  });
  const [definition] = service.getDefinitionAtPosition(file, text.indexOf("listPets")) ?? [];
  expect(definition).toMatchObject({ fileName: `${ROOT}generated/v1/calls.ts`, name: "listPets" });
  const info = service.getQuickInfoAtPosition(file, text.indexOf("listPets"));
  expect(ts.displayPartsToString(info?.documentation)).toMatch(/^List all animals\n\nReturns a paginated/);
  expect(service.getSuggestionDiagnostics(file).map(({ start }) => start)).toEqual([text.indexOf("getPet")]);
});

test("a bundle has no byte of the operations that it does not call", async () => {
  const bundle = async (code: string): Promise<string> => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: `${ROOT}test/tenon/client`, loader: "ts" },
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["tenon-source"],
    });
    return outputFiles.map(({ text }) => text).join("");
  };
  const from = "../../fixtures/petlike/generated/client.js";
  const one = await bundle(
    `import { createBareClient, getPet } from "${from}"; console.log(getPet(createBareClient({ baseUrl: "" })));`,
  );
  expect(one).toContain("/pets/{petId}");
  expect(one.match(/listPets|createPet|m-search/gi)).toBeNull();
  const all = await bundle(
    `import { createClient } from "${from}"; console.log(createClient({ baseUrl: "" }));`,
  );
  for (const id of ["listPets", "createPet", "getPet", "m-search"])
    expect(all.includes(`"${id}"`)).toBe(true);
});
