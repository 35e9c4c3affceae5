import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import {
  createSites,
  findContracts,
  INDEX,
  isCallableOrigin,
  type ServeOptions,
  serveSites,
  type Sites,
  writeSite,
} from "../docs/index.js";
import { type CommandContext, type ExitCode, UsageError } from "../output/context.js";
import type { NamedApi } from "../project/index.js";
import { followSaves } from "../output/follow-saves.js";
import { withProgress } from "../output/terminal.js";
import { serveUntilStopped } from "../output/serving.js";
import { showPath } from "../output/show-path.js";

/** The arguments and options of the command, which its help describes. */
export interface DocsOptions extends ServeOptions {
  readonly apis: readonly string[];
  /**
   * Folder for one site, relative to the project. Default: `docs` in the folder of each API's generated files, where
   * `createDocsRouter` finds it; `dist/docs-site` for contracts without generated files.
   */
  readonly out?: string;
  readonly service?: string;
  readonly callable?: readonly string[];
  readonly serve?: boolean;
  /** Serves the pages, and builds them again after each save. */
  readonly watch?: boolean;
}

/**
 * Writes the docs sites of contracts into a folder, or serves them.
 * @throws {ContractError | UsageError | WriteError}
 */
export async function runDocs(options: DocsOptions, context: CommandContext): Promise<ExitCode> {
  const { cwd, stdout, now = Date.now } = context;
  const wrong = options.callable?.find((origin) => !isCallableOrigin(origin));
  if (wrong !== undefined)
    throw new UsageError(
      `--callable must be an origin, for example http://localhost:3000 (received ${wrong})`,
    );
  const out = options.out === undefined ? undefined : resolve(cwd, options.out);
  const isProject = ["package.json", "redocly.yaml"].some((name) => existsSync(join(out ?? "", name)));
  if (out !== undefined && isProject && options.serve !== true && options.watch !== true)
    throw new UsageError("--out must be a folder for the docs alone, for example dist/docs-site.");
  const { watch = false, serve = watch } = options;
  const build = async () => {
    const sources = await findContracts(options.apis, cwd);
    const { callable } = options;
    const common = {
      cwd,
      now: now(),
      ...(callable && { callable }),
      reload: watch || process.env["TENON_DEV"] === "1",
    };
    const isAlone = (source: NamedApi) => out === undefined && !serve && source.output !== undefined;
    const groups = [
      ...sources.filter(isAlone).map((source) => [source]),
      sources.filter((one) => !isAlone(one)),
    ];
    return Promise.all(
      groups
        .filter((group) => group.length > 0)
        .map(async (group) => {
          const [{ output } = { output: undefined }] = group.filter(isAlone);
          const folder =
            output === undefined ? (out ?? resolve(cwd, "dist/docs-site")) : join(output, "docs");
          const service = options.service ?? (output === undefined ? undefined : "beside");
          return { folder, sites: await createSites(group, { ...common, service }) };
        }),
    );
  };
  const written = await withProgress(context, async (report) => {
    report("Writing docs");
    return build();
  });
  const [first] = written;
  if (serve && first !== undefined) {
    const server = serveSites(first.sites.files, options);
    const starting = watch ? server.then((running) => follow(running, first.sites, build, context)) : server;
    return serveUntilStopped(starting, options.port, "the docs are at", context);
  }
  for (const { folder, sites } of written) {
    await writeSite(sites.files, folder);
    for (const site of sites.sites)
      stdout.write(`docs of ${site.name}  ${showPath(join(folder, site.folder, INDEX), cwd)}\n`);
    if (sites.sites.length > 1) stdout.write(`list of all  ${showPath(join(folder, INDEX), cwd)}\n`);
  }
  return 0;
}

/** Builds the pages again after each save. */
async function follow(
  server: Awaited<ReturnType<typeof serveSites>>,
  { contractFiles }: Sites,
  build: () => Promise<readonly { readonly sites: Sites }[]>,
  context: CommandContext,
) {
  const watch = await followSaves({
    files: contractFiles,
    reload: async () => {
      const [first] = await build();
      if (first === undefined) return [];
      server.replace(first.sites.files);
      return first.sites.contractFiles;
    },
    context,
  });
  return {
    ...server,
    stop: async () => {
      await watch.close();
      await server.stop();
    },
  };
}
