// Runs the clients of the guide's page "Migrate a client" against the service of that page.
//
//   npm run test:long -- migrated-clients
//
// `--packages FOLDER` keeps the packages elsewhere. Exits with 1 if a call results in anything else than the page's table says, or if the
// page's code does not work.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { createGateway } from "../test/guide/migrate/books/gateway.js";
import { close, listen } from "../test/support/http.js";
import { MIGRATED_CLIENTS, type MigratedClient } from "./migrated-clients/clients.js";
import { installPackages, MIGRATED_CLIENT_PACKAGES } from "./packages.js";

interface ClientModule {
  readonly calls: {
    readonly list: (tags: readonly string[]) => Promise<unknown>;
    readonly get: (bookId: number) => Promise<unknown>;
    readonly cover: (image: Blob) => Promise<unknown>;
  };
  /** The page's code. */
  readonly before: (argument: readonly string[] | number) => Promise<unknown>;
}

const { values } = parseArgs({ options: { packages: { type: "string" } } });
const folder = values.packages ?? join(tmpdir(), "tenon-migrated-clients");
const ROOT = fileURLToPath(new URL("../", import.meta.url));
const BOOKS = join(ROOT, "test/guide/migrate/books");
const page = readFileSync(join(ROOT, "src/cli/guide/migrate/clients.md"), "utf8");
const modules = installPackages(folder, MIGRATED_CLIENT_PACKAGES);
const asked: string[] = [];
let problems = 0;

/** The cells of the page's table, the first row with the headings. */
const table = page
  .split("\n")
  .filter((line) => /^\| (?:Call|`)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** Reads the page's code of a client. */
function readCode(name: string): string {
  const [, code = ""] =
    new RegExp(`\\bWith [^.\\n]*\\b${name}\\b[^]*?\`\`\`ts\\n([^]*?)\`\`\``).exec(page) ?? [];
  // Zodios and axios share a block, with a line for each.
  const isOther = (line: string) => /\/\/ \w+$/.test(line) && !line.endsWith(`// ${name}`);
  const lines = code.split("\n");
  return lines.filter((line) => !isOther(line)).join("\n");
}

async function load({ name, parameter, code }: MigratedClient, port: number): Promise<ClientModule> {
  const own = join(folder, name.replaceAll(" ", ""));
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), '{ "type": "module" }\n');
  const service = `export const baseUrl: string = "http://127.0.0.1:${port}/v1";\nexport const key: string = "secret";\n`;
  writeFileSync(join(own, "service.ts"), service);
  copyFileSync(join(BOOKS, "generated/types.ts"), join(own, "types.ts"));
  const command = join(modules, "@hey-api/openapi-ts/bin/run.js");
  const argv = ["-i", join(BOOKS, "openapi.yaml"), "-o", join(own, "hey"), "--silent"];
  execFileSync(process.execPath, [command, ...argv], { cwd: own, stdio: ["ignore", "ignore", 2] });
  const before = `export async function before(${parameter}) {\n${readCode(name)}}\n`;
  const file = join(own, "client.ts");
  writeFileSync(file, `${code}\n${before}`);
  return (await import(pathToFileURL(file).href)) as ClientModule;
}

interface Outcome {
  readonly status?: number;
  readonly body?: unknown;
  readonly error?: unknown;
}

/** Runs a call, and reads the result in any of the forms of these clients. */
async function run(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    const result = (await call()) as Readonly<Record<string, unknown>>;
    const { response, status = (response as Response | undefined)?.status ?? 200 } = result;
    return { status: Number(status), body: result["data"] ?? result["error"] ?? result["body"] ?? result };
  } catch (error) {
    const { status } = (error as { readonly response?: { readonly status: number } }).response ?? {};
    return { ...(status !== undefined && { status }), error };
  }
}

/** The start of the cell that describes an outcome. */
function describeOutcome(row: string, { status, body, error }: Outcome): string {
  const [pair = ""] = decodeURIComponent(asked.at(-1)?.split("?")[1] ?? "").split("&");
  const { id, bytes } = Object(body) as { readonly id?: unknown; readonly bytes?: number };
  if (status === 400) return `400: sent as \`${pair}`;
  if (error !== undefined) return "throws";
  if (typeof body === "string") return `${String(status)} and HTML`;
  if (row.includes("555") && id !== 9007199254740993n) return "200 with a different ID";
  if (bytes !== undefined && bytes !== 3) return `200 with ${String(bytes)} bytes`;
  return String(status);
}

function check(what: string, isRight: boolean, found: unknown): void {
  process.stdout.write(
    `${isRight ? "pass" : "FAIL"}  ${what}${isRight ? "" : `: ${JSON.stringify(found)}`}\n`,
  );
  if (!isRight) problems += 1;
}

for (const client of MIGRATED_CLIENTS) {
  asked.length = 0;
  const server = createGateway(asked);
  try {
    const { calls, before } = await load(client, await listen(server));
    const column = table[0]?.indexOf(client.column) ?? -1;
    for (const [, row = "", ...cells] of table.slice(1)) {
      const id = /GET \/books\/(\d+)/.exec(row)?.[1];
      const call = () => {
        if (id !== undefined) return calls.get(Number(id));
        return row.includes("tags") ? calls.list(["war", "peace"]) : calls.cover(new Blob(["abc"]));
      };
      const found = describeOutcome(row, await run(call));
      check(`${client.column}, ${row}`, cells[column - 2]?.startsWith(found) === true, found);
    }
    const isList = client.parameter.startsWith("tags");
    const found = isList
      ? await run(() => before(["war"]))
      : { body: [(await run(() => before(2))).body, await before(99)] };
    const wanted = isList ? ["War and Peace"] : ["Persuasion", undefined];
    check(`${client.column}, the page's code`, isDeepStrictEqual(found.body, wanted), found);
  } finally {
    await close(server);
  }
}
process.exitCode = problems === 0 ? 0 : 1;
