// Measures the search of tools on GitHub's contract: how many of fifty tasks have their operation among the first eight.
//
//   node --conditions=tenon-source --import tsx scripts/bench/tool-search.ts api.github.com.json
//
// The document is that of the package @octokit/openapi. The tasks are in tool-search-tasks.json, with their operations.
import { readFileSync } from "node:fs";
import process from "node:process";
import { buildContract } from "../../src/tenon/core/model/index.js";
import { createToolSearch } from "../../src/tenon/mcp/search-tools.js";
import { createTools } from "../../src/tenon/mcp/tools.js";

const LIMIT = 8;

const [file = "api.github.com.json"] = process.argv.slice(2);
const document = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
const tasks = JSON.parse(
  readFileSync(new URL("tool-search-tasks.json", import.meta.url), "utf8"),
) as readonly (readonly [task: string, operationId: string])[];

const contract = buildContract(document);
const start = performance.now();
const tools = createTools(contract, contract.operations);
const search = createToolSearch(tools);
process.stdout.write(`${tools.length} tools in ${Math.round(performance.now() - start)} ms\n`);
const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
process.stdout.write(`${JSON.stringify(listed).length} bytes of names, descriptions and arguments\n`);

const places = tasks.map(([task, id]) => {
  const place = search(task, LIMIT).findIndex(({ operation }) => operation.id === id);
  if (place < 0) process.stdout.write(`not found: ${task} (${id})\n`);
  return place;
});
const found = places.filter((place) => place >= 0).length;
const first = places.filter((place) => place === 0).length;
process.stdout.write(`${found} of ${tasks.length} among the first ${LIMIT}, ${first} of them as the first\n`);
