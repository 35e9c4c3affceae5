import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { INDEX } from "../../docs/site.js";
import { type CommandContext, type ExitCode, UsageError } from "../context.js";
import { withProgress } from "../progress.js";
import { toPortError, untilStopped } from "../serving.js";
import { cannotWrite } from "../write-error.js";
import { createSites, type Sites } from "./create-sites.js";
import { findContracts } from "./find-contracts.js";
import { serveSites, type ServeOptions } from "./serve-sites.js";

export interface DocsOptions extends ServeOptions {
  /** Names of APIs, files or URLs; empty for all of redocly.yaml. */
  readonly apis: readonly string[];
  /** Folder to write to, relative to the project. */
  readonly out: string;
  /** Address of the running service, relative to the pages' or whole. Default: what the contract says. */
  readonly service?: string;
  /** Serve the pages until the user stops it, and write nothing. Default: false. */
  readonly serve?: boolean;
}

/**
 * Writes the docs sites of contracts into a folder, or serves them.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runDocs(options: DocsOptions, context: CommandContext): Promise<ExitCode> {
  const { cwd, stdout, now = Date.now } = context;
  const folder = resolve(cwd, options.out);
  const isProject = ["package.json", "redocly.yaml"].some((name) => existsSync(join(folder, name)));
  if (isProject && options.serve !== true)
    throw new UsageError("--out must be a folder for the docs alone, for example dist/docs-site.");
  const sites = await withProgress(context, async (tell) => {
    tell("Reading contracts");
    const sources = await findContracts(options.apis, cwd);
    tell("Writing docs");
    return createSites(sources, { cwd, service: options.service, now: now() });
  });
  if (options.serve === true) return serve(sites, options, context);
  for (const [path, { text }] of sites.files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true }).catch(cannotWrite(file));
    await writeFile(file, text).catch(cannotWrite(file));
  }
  for (const site of sites.sites)
    stdout.write(`docs of ${site.name}  ${relative(cwd, join(folder, site.folder, INDEX))}\n`);
  if (sites.sites.length > 1) stdout.write(`list of all  ${relative(cwd, join(folder, INDEX))}\n`);
  return 0;
}

async function serve({ files }: Sites, options: DocsOptions, { stdout }: CommandContext): Promise<ExitCode> {
  const server = await serveSites(files, options).catch((error: unknown) => {
    throw toPortError(error, options.port);
  });
  stdout.write(`tenon: the docs are at ${server.url}\n`);
  await untilStopped();
  await server.stop();
  return 0;
}
