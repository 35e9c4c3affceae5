import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { loadApis } from "../contract/config.js";
import { readChangelog } from "../docs/read-changelog.js";
import { createDocsSite, type DocumentedContract, INDEX } from "../docs/site.js";
import type { CommandContext } from "./context.js";

/** The folder of the sites, relative to the project. */
const SITES = join("dist", "docs-site");

/**
 * Writes the docs site of every API of redocly.yaml that has an output, from the contract.json and
 * changelog.json there, to `dist/docs-site/<api>/`, and prints the page's path. A site can be opened from its folder, or put below any path of a host.
 * @throws {ContractError} when redocly.yaml cannot be read.
 * @throws when an API has no contract.json yet.
 */
export async function writeDocsSites({
  cwd,
  stdout,
  now = Date.now,
}: Pick<CommandContext, "cwd" | "stdout" | "now">): Promise<void> {
  for (const { name, output } of await loadApis(cwd)) {
    const contract = await readContract(join(output, "contract.json"), cwd);
    const folder = join(cwd, SITES, name);
    await mkdir(folder, { recursive: true });
    const changelog = readChangelog(pathToFileURL(join(output, "contract.json")));
    for (const file of createDocsSite(contract, { changelog, now: now() }))
      await writeFile(join(folder, file.name), file.text);
    stdout.write(`docs of ${name}  ${relative(cwd, join(folder, INDEX))}\n`);
  }
}

async function readContract(path: string, cwd: string): Promise<DocumentedContract> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as DocumentedContract;
  } catch (error) {
    const wanted = `Cannot read ${relative(cwd, path)}: generate it first`;
    throw new Error(wanted, { cause: error });
  }
}
