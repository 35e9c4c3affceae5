import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { isNode } from "tenon/core/document";
import { buildWithoutProblems, loadContract } from "../../load/index.js";
import type { NamedApi } from "../../project/index.js";
import { UsageError } from "../../output/context.js";
import { createHtmlPage } from "../../output/html-page.js";
import { escapeMarkup } from "../../output/markup.js";
import { createNames, type DocsFile, INDEX, toFile } from "../assets/docs-file.js";
import { loadStyles } from "../assets/assets.js";
import { createPolicy } from "../assets/page-policy.js";
import { readChangelog } from "../changes/changelog-page.js";
import { Attachments } from "../guides/attachments.js";
import { FormerBuild } from "./former-build.js";
import { createDocsSite, type DocumentedContract, type SiteOptions } from "./create-site.js";
import { showPath } from "../../output/show-path.js";

export interface SitesOptions extends Pick<SiteOptions, "callable" | "reload"> {
  readonly cwd: string;
  /**
   * Address of the running service, relative to the pages' or whole; `beside` where the service serves the pages one level
   * below its root: `../v1`. Default: the contract's first server.
   */
  readonly service?: string | undefined;
  /** The day that the docs are of, in milliseconds since 1970. */
  readonly now: number;
}

export type Sites = Awaited<ReturnType<typeof createSites>>;

/**
 * Creates the docs sites of contracts: that of the only one, or each in a folder, with a page that links to them.
 * @returns The sites with their folders, "" for the only one, all files by path below the folder of all, `v1/index.html`, and the
 *   absolute paths of the files that they are made from.
 * @throws {ContractError | UsageError} when a contract cannot be read.
 */
export async function createSites(sources: readonly NamedApi[], { cwd, service, ...options }: SitesOptions) {
  const files = new Map<string, DocsFile>();
  const choose = createNames();
  const toFolder = ({ name }: NamedApi) =>
    sources.length === 1 ? "" : choose(name.replaceAll(/[^\w.@-]+/g, "-").replace(/^\.+/, "") || "api");
  const sites = sources.map((source) => ({ ...source, folder: toFolder(source) }));
  const links: string[] = [];
  const contractFiles: string[] = [];
  for (const { name, root, config, output, groupByTag, docs, folder } of sites) {
    // Docs show what is there; whether it keeps any rules is for "lint" to say.
    const loaded = await loadContract(root, config, { lint: false });
    const { document, files: own } = loaded;
    contractFiles.push(...own);
    const { info } = document;
    if (!isNode(info) || typeof info["title"] !== "string" || typeof info["version"] !== "string")
      throw new UsageError(
        `${showPath(root, cwd)} has no info.title and info.version, which docs begin with.`,
      );
    const contract = await buildWithoutProblems(loaded);
    const versions = sites.map((site) => ({
      name: site.name,
      href: `../${encodeURIComponent(site.folder)}/${INDEX}`,
      current: site.folder === folder,
    }));
    const attachments = new Attachments(cwd);
    const guides = docs?.guides ?? [];
    const site = createDocsSite(document as unknown as DocumentedContract, {
      ...options,
      contract,
      service: service === "beside" ? `..${contract.basePath}` : service,
      client: output === undefined ? false : `./${showPath(output, cwd)}/client.js`,
      groupByTag,
      changelog:
        output === undefined ? undefined : readChangelog(pathToFileURL(join(output, "contract.json"))),
      ...(sites.length > 1 && { versions }),
      guides: guides.map((path) => ({ path, text: readFileSync(path, "utf8") })),
      attachments,
      settings: docs,
      folder: dirname(root),
      ...(options.reload === true && { former: getFormer(root) }),
    });
    contractFiles.push(...guides, ...attachments.paths);
    for (const file of site) files.set(posix.join(folder, file.name), file);
    const label = `${info["title"]} ${info["version"]}`;
    links.push(
      `<li><a href="${encodeURIComponent(folder)}/${INDEX}">${escapeMarkup(name)}</a>: ${escapeMarkup(label)}</li>\n`,
    );
  }
  if (sites.length > 1) for (const file of createVersionsFiles(links)) files.set(file.name, file);
  return { sites, files, contractFiles };
}

/** Builds by the path of their contract, for a process that follows saves. */
const builds = new Map<string, FormerBuild>();

function getFormer(root: string): FormerBuild {
  const build = builds.get(root) ?? new FormerBuild();
  builds.set(root, build);
  return build;
}

/** Creates the page of a folder that has several docs sites. It needs no script. */
function createVersionsFiles(links: readonly string[]): readonly DocsFile[] {
  const page = createHtmlPage({
    title: "API documentation",
    policy: createPolicy({ "style-src": "'self'", "img-src": "data:" }),
    head: `<link rel="stylesheet" href="versions.css">\n`,
    body: `<main>
<h1>API documentation</h1>
<ul>
${links.join("")}</ul>
</main>
`,
  });
  return [toFile(INDEX, page), toFile("versions.css", loadStyles("report"))];
}
