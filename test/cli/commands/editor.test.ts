import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import { parse } from "yaml";
import { loadApis } from "../../../src/cli/project/index.js";
import { STABILITY_LEVELS } from "../../../src/tenon/core/document/lifecycle.js";
import { createProject, toContract } from "../load/project.js";
import { runIn } from "./run.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TEMPLATE = "src/cli/template";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

function compile(name: string): (yaml: string) => boolean {
  const schema = JSON.parse(read(`src/cli/schemas/${name}.schema.json`)) as Record<string, unknown>;
  // What is used of it is the same in both drafts.
  delete schema["$schema"];
  const validate = new Ajv2020({ strict: false }).compile(schema);
  return (yaml) => validate(parse(yaml));
}

const isRedocly = compile("redocly");
const isContract = compile("contract");

const toRedocly = (tenon: string) => `apis:\n  v1:\n    root: openapi.yaml\n    x-tenon: ${tenon}\n`;

/** A glob pattern of VS Code: `**` is any number of folders, `*` is any name. */
const toRegExp = (glob: string): RegExp =>
  new RegExp(
    `^${glob.replaceAll(".", "\\.").replaceAll(/\*\*\/|\*/g, (part) => (part === "*" ? "[^/]*" : "(?:.*/)?"))}$`,
  );

/** Whether the command itself takes a redocly.yaml. */
const isTaken = (redocly: string): Promise<boolean> =>
  loadApis(createProject({ "redocly.yaml": redocly })).then(
    () => true,
    () => false,
  );

describe("the schema of redocly.yaml, for editors", () => {
  test.each(["redocly.yaml", `${TEMPLATE}/redocly.yaml`])("takes %s", (path) => {
    expect(isRedocly(read(path))).toBe(true);
  });

  test.each<[string, boolean]>([
    ["{ output: generated, handlers: src/handlers, main: src/main.ts, split: true }", true],
    ["{ output: generated, diff: { levels: { operation-removed: risky } } }", true],
    [
      "{ output: generated, diff: { ignore: [{ code: operation-removed, operation: GET /a, reason: Old. }] } }",
      true,
    ],
    ...STABILITY_LEVELS.map((level): [string, boolean] => [
      `{ output: generated, diff: { stabilityLevel: ${level} } }`,
      true,
    ]),
    ["{ output: generated, diff: { stabilityLevel: preview } }", false],
    ["{ handlers: src }", false],
    ["{ output: generated, outptu: x }", false],
    ["{ output: generated, split: 1 }", false],
    ["{ output: generated, diff: { levels: { operation-removed: bad } } }", false],
    ["{ output: generated, diff: { ignore: [{ code: operation-removed }] } }", false],
    ["{ output: generated, diff: { ignored: [] } }", false],
  ])("says of %s what the command says: %s", async (tenon, isFine) => {
    expect({ schema: isRedocly(toRedocly(tenon)), command: await isTaken(toRedocly(tenon)) }).toEqual({
      schema: isFine,
      command: isFine,
    });
  });
});

describe("the schema of a contract's extensions, for editors", () => {
  test.each(["openapi/v1.yaml", `${TEMPLATE}/openapi/v1.yaml`])("takes %s", (path) => {
    expect(isContract(read(path))).toBe(true);
  });

  test.each([
    ['"2030-12-05"', true],
    ['"2030-12-05T10:00:00Z"', true],
    ["soon", false],
    ["2030", false],
  ])("says of x-sunset: %s what the command says: %s", async (value, isFine) => {
    const contract = toContract(
      `paths:\n  /a:\n    get:\n      deprecated: true\n      x-sunset: ${value}\n      responses: { "204": { description: Done. } }\n`,
    );
    const { exitCode } = await runIn(createProject({ "openapi.yaml": contract }), "lint");
    expect({ schema: isContract(contract), command: exitCode === 0 }).toEqual({
      schema: isFine,
      command: isFine,
    });
  });

  test("has every level of stability", () => {
    const taken = STABILITY_LEVELS.filter((level) => isContract(`x-stability-level: ${level}`));
    expect(taken).toEqual(STABILITY_LEVELS);
  });

  test("looks at every depth", () => {
    expect(isContract("a: [{ b: { x-stability-level: alpha } }]")).toBe(true);
    expect(isContract("a: [{ b: { x-stability-level: alfa } }]")).toBe(false);
  });
});

describe("a new service in VS Code", () => {
  const settings = JSON.parse(read(`${TEMPLATE}/.vscode/settings.json`)) as {
    "yaml.schemas": Record<string, string | string[]>;
    "json.schemas": { url: string; fileMatch: string[] }[];
  };
  const schemas = [
    ...Object.entries(settings["yaml.schemas"]),
    ...settings["json.schemas"].map(({ url, fileMatch }) => [url, fileMatch] as const),
  ].map(([url, patterns]) => [url, [patterns].flat()] as const);

  test("has the schemas where its settings say", () => {
    expect(schemas).toHaveLength(3);
    for (const [path] of schemas) expect(read(path)).toContain("json-schema.org");
  });

  test.each([
    ["redocly.yaml", "redocly"],
    ["openapi/v1.yaml", "contract"],
    ["openapi/v1.json", "contract"],
    ["openapi/v1/paths/notes.yml", "contract"],
    ["openapi/shared/errors.json", "contract"],
    ["services/notes/openapi.yaml", "contract"],
    ["services/notes.openapi.json", "contract"],
    ["package.json", undefined],
    ["docker-compose.yaml", undefined],
    ["generated/v1/contract.json", undefined],
  ])("validates %s by the schema: %s", (path, name) => {
    const found = schemas.filter(([, patterns]) => patterns.some((pattern) => toRegExp(pattern).test(path)));
    expect(found.map(([url]) => url)).toEqual(
      name === undefined ? [] : [`./node_modules/@tenon/cli/schemas/${name}.schema.json`],
    );
  });

  test("finds problems in what the commands print", async () => {
    const { tasks } = JSON.parse(read(`${TEMPLATE}/.vscode/tasks.json`)) as {
      tasks: { label: string; problemMatcher: [string, { pattern: { regexp: string } }] }[];
    };
    const [, matcher] = tasks.find(({ label }) => label === "tenon lint")?.problemMatcher ?? [];
    const contract = toContract(
      'paths:\n  /a:\n    get:\n      x-sunset: soon\n      responses: { "204": { description: Done. } }\n',
    );
    const { stdout } = await runIn(createProject({ "openapi.yaml": contract }), "lint");
    const [line = ""] = stdout.split("\n");
    expect(new RegExp(matcher?.pattern.regexp ?? "").exec(line)?.slice(1, 6)).toEqual([
      "openapi.yaml",
      "8",
      "7",
      "date-invalid",
      "error",
    ]);
  });
});
