import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createConfig } from "@redocly/openapi-core";
import { loadModel } from "../../../src/cli/project/index.js";
import { runIn } from "../commands/run.js";
import { createProject, REDOCLY, toContract } from "./project.js";

type Files = Readonly<Record<string, string>>;

/** Loads a contract and returns the operations that are left, and the warnings. */
async function load(files: Files, isLenient = true) {
  const root = join(createProject(files), "openapi.yaml");
  const config = await createConfig({ "x-tenon": { lenient: isLenient } } as object);
  const { contract, problems } = await loadModel({ root, config });
  return {
    paths: contract.operations.map(({ method, path }) => `${method} ${path}`),
    schemas: contract.schemas.map(({ name }) => name),
    warnings: problems.map(({ code, severity, message, file, line }) => ({
      place: `${basename(file)}:${line}`,
      text: `${code} ${severity}: ${message.split(".")[0] ?? ""}`,
    })),
  };
}

const done = '{ "204": { description: Done. } }';
const good = `get: { responses: ${done} }`;
const toBody = (schema: string) =>
  `post: { requestBody: { content: { application/json: { schema: ${schema} } } }, responses: ${done} }`;
const leftOut = (name: string) => `part-left-out warning: Left out: ${name}`;

/** Paths from line 6 on. `/good` always stays. */
const toPaths = (...below: readonly string[]) =>
  toContract(["paths:", `  /good: { ${good} }`, ...below, ""].join("\n"));

type Row = readonly [
  name: string,
  files: Files,
  paths: readonly string[],
  warnings: readonly (readonly [place: string, part: string])[],
];

const rows: readonly Row[] = [
  [
    "a wrong limit of a parameter",
    {
      "openapi.yaml": toPaths(
        `  /a: { get: { parameters: [{ name: q, in: query, schema: { type: integer, minimum: a } }], responses: ${done} } }`,
      ),
    },
    ["get /good"],
    [["openapi.yaml:7", "GET /a"]],
  ],
  [
    "one operation of a path",
    { "openapi.yaml": toPaths("  /a:", `    ${good}`, `    ${toBody("{ type: integer, minimum: a }")}`) },
    ["get /good", "get /a"],
    [["openapi.yaml:9", "POST /a"]],
  ],
  [
    "a wrong media type",
    {
      "openapi.yaml": toPaths(
        `  /a: { get: { responses: { "200": { description: Done., content: { json: {} } } } } }`,
      ),
    },
    ["get /good"],
    [["openapi.yaml:7", "GET /a"]],
  ],
  [
    "a component, and all that refers to it",
    {
      "openapi.yaml": toPaths(
        `  /a: { ${toBody('{ $ref: "#/components/schemas/List" }')} }`,
        `  /b: { ${toBody('{ $ref: "#/components/schemas/Fine" }')} }`,
        "components:",
        "  schemas:",
        "    Fine: { type: string }",
        '    List: { type: array, items: { $ref: "#/components/schemas/Bad" } }',
        '    Bad: { type: string, pattern: "[" }',
      ),
    },
    ["get /good", "post /b"],
    [
      ["openapi.yaml:13", "POST /a"],
      ["openapi.yaml:13", "component schemas/List"],
      ["openapi.yaml:13", "component schemas/Bad"],
    ],
  ],
  [
    "a schema in another file",
    {
      "openapi.yaml": toPaths(`  /a: { ${toBody('{ $ref: "bad.yaml" }')} }`),
      "bad.yaml": 'type: string\npattern: "["\n',
    },
    ["get /good"],
    [["bad.yaml:2", "POST /a"]],
  ],
  [
    "an operation in another file",
    {
      "openapi.yaml": toPaths("  /a: { $ref: item.yaml }"),
      "item.yaml": `${good}\n${toBody("{ type: integer, minimum: a }")}\n`,
    },
    ["get /good", "get /a"],
    [["item.yaml:2", "POST /a"]],
  ],
  [
    "a reference to nothing",
    { "openapi.yaml": toPaths(`  /a: { ${toBody('{ $ref: "#/components/schemas/None" }')} }`) },
    ["get /good"],
    [["openapi.yaml:7", "POST /a"]],
  ],
  [
    "a parameter of a path item",
    {
      "openapi.yaml": toPaths(
        "  /a:",
        "    parameters: [{ name: a, in: path, required: true, schema: {} }]",
        `    ${good}`,
      ),
    },
    ["get /good"],
    [["openapi.yaml:8", "/a"]],
  ],
  [
    "a webhook",
    { "openapi.yaml": toPaths("webhooks:", "  a:", `    ${toBody('{ type: string, pattern: "[" }')}`) },
    ["get /good"],
    [["openapi.yaml:9", "webhook a"]],
  ],
];

describe("x-tenon.lenient leaves out", () => {
  test.each(rows)("%s", async (_, files, paths, warnings) => {
    const found = await load(files);
    expect(found.paths).toEqual(paths);
    expect(found.warnings).toEqual(warnings.map(([place, part]) => ({ place, text: leftOut(part) })));
    await expect(load(files, false)).rejects.toThrow("problem(s)");
  });
});

test("commands skip the operations that are left out", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contract = toPaths(
    `  /a: { get: { responses: { "204": { description: Done., content: { json: {} } } } } }`,
  );
  const verifyWith = async (isLenient: boolean) => {
    const redocly = REDOCLY.replace("output: generated", `output: generated, lenient: ${isLenient}`);
    const folder = createProject({ "openapi.yaml": contract, "redocly.yaml": redocly });
    return runIn(folder, "verify", url, "--runs", "1");
  };
  const strict = await verifyWith(false);
  expect(strict.exitCode).toBe(1);
  expect(strict.stderr).toContain("it is not a media type");
  await verifyWith(true);
  server.close();
  expect(new Set(requests.map((one) => one.split("?")[0]))).toContain("/good");
  expect(requests).not.toContain("/a");
});

describe("x-tenon.lenient does not leave out", () => {
  test("anything that is valid", async () => {
    expect(await load({ "openapi.yaml": toPaths() })).toEqual({
      paths: ["get /good"],
      schemas: [],
      warnings: [],
    });
  });

  test.each([
    ["an error outside of operations", toPaths("servers: [{ url: 5 }]")],
    ["the last operation", toContract(`paths: { /a: { ${toBody("{ type: integer, minimum: a }")} } }\n`)],
  ])("%s", async (_, contract) => {
    await expect(load({ "openapi.yaml": contract })).rejects.toThrow("problem(s)");
  });
});
