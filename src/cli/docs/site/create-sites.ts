import { join, posix, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { isNode } from "tenon/core/document";
import { buildContract } from "tenon/core/model";
import { loadContract } from "../../load/index.js";
import { readChangelog } from "../changes/index.js";
import { type DocsFile, INDEX } from "../assets/index.js";
import { createDocsSite, type DocumentedContract } from "./create-site.js";
import { createVersionsFiles } from "./versions-page.js";
import { UsageError } from "../../output/context.js";
import type { DocumentedSource } from "./find-contracts.js";

export interface SitesOptions {
  readonly cwd: string;
  /**
   * Address of the running service, relative to the pages' or whole; `beside` where the service serves the pages one level
   * below its root: `../v1`. Default: the contract's first server.
   */
  readonly service?: string | undefined;
  /** Origins that the console may call, see `SiteOptions`. */
  readonly callable?: readonly string[];
  /** Pages reload themselves after a restart of the service. Default: false. */
  readonly reload?: boolean;
  /** The day that the docs are of, in milliseconds since 1970. */
  readonly now: number;
}

export interface Site {
  readonly name: string;
  /** Below the folder of all: "" for the only one. */
  readonly folder: string;
}

/** Docs sites, and where they are. */
export interface Sites {
  readonly sites: readonly Site[];
  /** By path below the folder of all: `v1/index.html`. */
  readonly files: ReadonlyMap<string, DocsFile>;
}

/**
 * The docs sites of contracts: that of the only one, or each in a folder, with a page that leads to them.
 * @throws {ContractError | UsageError} when a contract cannot be read.
 */
export async function createSites(
  sources: readonly DocumentedSource[],
  { cwd, service, now, callable, reload = false }: SitesOptions,
): Promise<Sites> {
  const files = new Map<string, DocsFile>();
  const folders = sources.length === 1 ? [""] : toFolders(sources);
  const sites = sources.map((source, index) => ({ ...source, folder: folders[index] ?? "" }));
  const listed: { name: string; href: string; title: string }[] = [];
  for (const { name, root, config, output, folder } of sites) {
    // Docs show what is there; whether it keeps any rules is for "lint" to say.
    const { document } = await loadContract(root, config, { lint: false });
    const { info } = document;
    if (!isNode(info) || typeof info["title"] !== "string" || typeof info["version"] !== "string")
      throw new UsageError(
        `${relative(cwd, root)} has no info.title and info.version, which docs begin with.`,
      );
    const contract = document as unknown as DocumentedContract;
    const changelog = output && readChangelog(pathToFileURL(join(output, "contract.json")));
    const versions = sites.map((site) => ({
      name: site.name,
      href: `../${encodeURIComponent(site.folder)}/${INDEX}`,
      current: site.folder === folder,
    }));
    const isBeside = service === "beside";
    const site = createDocsSite(contract, {
      now,
      reload,
      ...(callable && { callable }),
      service: isBeside ? `..${buildContract(document).basePath}` : service,
      client: output === undefined ? false : `./${toPath(relative(cwd, output))}/client.js`,
      ...(changelog && { changelog }),
      ...(sites.length > 1 && { versions }),
    });
    for (const file of site) files.set(posix.join(folder, file.name), file);
    const { title, version } = contract.info;
    listed.push({ name, href: `${encodeURIComponent(folder)}/${INDEX}`, title: `${title} ${version}` });
  }
  if (sites.length > 1) for (const file of createVersionsFiles(listed)) files.set(file.name, file);
  return { sites, files };
}

/** Names that every file system takes, each once. */
function toFolders(sources: readonly DocumentedSource[]): readonly string[] {
  const taken = new Set<string>();
  return sources.map(({ name }) => {
    const start = name.replaceAll(/[^\w.@-]+/g, "-").replace(/^\.+/, "") || "api";
    let folder = start;
    for (let count = 2; taken.has(folder.toLowerCase()); count += 1) folder = `${start}-${count}`;
    taken.add(folder.toLowerCase());
    return folder;
  });
}

function toPath(path: string): string {
  return path.split(sep).join("/");
}
