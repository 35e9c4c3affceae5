import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

const TENON = fileURLToPath(new URL("../../../src/cli/dist/main.js", import.meta.url));

/** A contract on disk, with the server that Tenon generates of it. */
export interface GrownContract {
  /** Absolute path of the JSON document. */
  readonly file: string;
  /** URL of the generated `server.js`. */
  readonly generated: string;
}

/** Path of the operation at a place, for a request: `/v1/r0007/5?limit=5`. */
export function toTarget(index: number): string {
  return `/v1${toPath(index).replace("{id}", "5")}?limit=5`;
}

/** A contract of operations that are all alike. */
export function createContract(operations: number): object {
  const integer = { type: "integer" };
  const operation = {
    parameters: [
      { name: "id", in: "path", required: true, schema: integer },
      { name: "limit", in: "query", schema: { ...integer, minimum: 1, maximum: 100, default: 20 } },
    ],
    responses: {
      200: {
        description: "Both",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Both" } } },
      },
    },
  };
  const paths = Array.from({ length: operations }, (_, index) => [
    toPath(index),
    { get: { operationId: `get${index}`, ...operation } },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Grown", version: "1.0.0", license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/v1" }],
    security: [],
    paths: Object.fromEntries(paths) as object,
    components: {
      schemas: {
        Both: { type: "object", required: ["id", "limit"], properties: { id: integer, limit: integer } },
      },
    },
  };
}

const toPath = (index: number): string => `/r${String(index).padStart(4, "0")}/{id}`;

/**
 * Generates a server and takes the types away, as a build would.
 * @param folder New folder; `tenon` must be found from there.
 */
export function generateServer(folder: string, document: string): GrownContract {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const root = basename(document);
  const file = join(folder, root);
  writeFileSync(file, readFileSync(document));
  const config = `telemetry: off\napis: { v1: { root: ${root}, x-tenon: { output: generated } } }\nextends: [minimal]\n`;
  writeFileSync(join(folder, "redocly.yaml"), config);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const { status, stderr } = spawnSync(process.execPath, [TENON, "generate"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Cannot generate a server of ${document}:\n${stderr}`);
  const generated = join(folder, "generated");
  const target = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  for (const name of readdirSync(generated, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(generated, name), "utf8"), {
      compilerOptions: target,
    });
    writeFileSync(join(generated, name.replace(/ts$/, "js")), outputText);
  }
  return { file, generated: pathToFileURL(join(generated, "server.js")).href };
}
