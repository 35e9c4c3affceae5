import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { SizedOperation } from "./cut-contract.js";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

interface GenerateOptions {
  /** Folder of the page. */
  readonly folder: string;
  /** `node_modules` with the packages of others. */
  readonly modules: string;
  /** Path of the contract. */
  readonly contract: string;
}

/** A client, and the code that a page has with it. */
export interface SizedClient {
  readonly name: string;
  /** Whether calls are repeated without code of the page. */
  readonly retries: "yes" | "no";
  readonly generate?: (options: GenerateOptions) => void;
  /** Writes a page that calls operations. */
  readonly writePage: (called: readonly SizedOperation[]) => string;
}

const BASE_URL = `"https://api.example.com"`;

function writeCalls(called: readonly SizedOperation[], write: (operation: SizedOperation) => string): string {
  return `export const run = () => [\n${called.map((operation) => `  ${write(operation)},\n`).join("")}];\n`;
}

/** `path: { owner: "x", repo: "x" }`, without parameters nothing. */
function writePath({ parameters }: SizedOperation): string {
  return parameters.length === 0 ? "" : `path: { ${parameters.map((name) => `"${name}": "x"`).join(", ")} }`;
}

/** The members of an object, those that are not empty. */
function writeObject(...members: readonly string[]): string {
  const present = members.filter((member) => member !== "");
  return present.length === 0 ? "" : `{ ${present.join(", ")} }`;
}

/** `` `/repos/${"x"}` ``, as people write it by hand. */
function writeTemplate({ path }: SizedOperation): string {
  return `\`${path.slice(1).replaceAll(/\{\w+\}/g, "${encodeURIComponent(x)}")}\``;
}

function generateTenon({ folder }: GenerateOptions): void {
  const api = "{ root: ../openapi.json, x-tenon: { output: generated } }";
  writeFileSync(join(folder, "redocly.yaml"), `apis: { v1: ${api} }\n`);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(REPOSITORY, "src/tenon"), join(folder, "node_modules/tenon"), "junction");
  const command = join(REPOSITORY, "src/cli/dist/main.js");
  execFileSync(process.execPath, [command, "generate"], { cwd: folder, stdio: ["ignore", "ignore", 2] });
}

const toBody = ({ hasBody }: SizedOperation) => (hasBody ? "body: {}" : "");

/** In the order of the page. */
export const CLIENTS: readonly SizedClient[] = [
  {
    name: "Tenon, `createBareClient`",
    retries: "yes",
    generate: generateTenon,
    writePage: (called) => `import { createBareClient } from "./generated/client.js";
import { ${called.map(({ name }) => name).join(", ")} } from "./generated/calls.js";
const client = createBareClient({ baseUrl: ${BASE_URL} });
${writeCalls(called, (operation) => `${operation.name}(${["client", writeObject(writePath(operation), toBody(operation))].filter(Boolean).join(", ")})`)}`,
  },
  {
    name: "Tenon, `createClient`",
    retries: "yes",
    generate: generateTenon,
    writePage: (called) => `import { createClient } from "./generated/client.js";
const client = createClient({ baseUrl: ${BASE_URL} });
${writeCalls(called, (operation) => `client.${operation.name}(${writeObject(writePath(operation), toBody(operation))})`)}`,
  },
  {
    name: "openapi-fetch",
    retries: "no",
    writePage: (called) => `import createClient from "openapi-fetch";
const client = createClient({ baseUrl: ${BASE_URL} });
${writeCalls(called, (operation) => {
  const path = writePath(operation);
  const options = writeObject(path && `params: { ${path} }`, toBody(operation));
  return `client.${operation.method.toUpperCase()}(${[JSON.stringify(operation.path), options].filter(Boolean).join(", ")})`;
})}`,
  },
  {
    name: "@hey-api/openapi-ts, fetch client",
    retries: "no",
    generate: ({ folder, modules, contract }) => {
      const command = join(modules, "@hey-api/openapi-ts/bin/run.js");
      const argv = ["-i", contract, "-o", join(folder, "generated"), "--silent"];
      execFileSync(process.execPath, [command, ...argv], { cwd: folder, stdio: ["ignore", "ignore", 2] });
    },
    writePage: (called) => `import { client } from "./generated/client.gen";
import { ${called.map(({ name }) => name).join(", ")} } from "./generated/sdk.gen";
client.setConfig({ baseUrl: ${BASE_URL} });
${writeCalls(called, (operation) => `${operation.name}(${writeObject(writePath(operation), toBody(operation))})`)}`,
  },
  {
    name: "ky, by hand",
    retries: "yes",
    writePage: (called) => `import ky from "ky";
const x = "x";
const api = ky.create({ prefix: ${BASE_URL} });
${writeCalls(called, (operation) => `api.${operation.method}(${writeTemplate(operation)}${operation.hasBody ? ", { json: {} }" : ""}).json()`)}`,
  },
  {
    name: "axios, by hand",
    retries: "no",
    writePage: (called) => `import axios from "axios";
const x = "x";
const api = axios.create({ baseURL: ${BASE_URL} });
${writeCalls(called, (operation) => `api.${operation.method}(${writeTemplate(operation)}${operation.hasBody ? ", {}" : ""})`)}`,
  },
];
