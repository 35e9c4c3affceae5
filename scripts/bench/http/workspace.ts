import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { FRAMEWORK_PACKAGES, installPackages } from "../../packages.js";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

/** Folder of a checkout in which its servers are, each a file. */
const SERVERS = "scripts/bench/servers";

/** Hides that `node:sqlite` is new from the log of Node.js 22. */
export const NODE_OPTIONS = ["--disable-warning=ExperimentalWarning"];

/** A copy of the servers beside the packages that they import, which this repository does not have. */
export interface Workspace {
  /** Absolute path of what stays: packages, `dist/` and copies of the servers. */
  readonly root: string;
  /** Absolute path of `servers/`. */
  readonly servers: string;
  /** For files that last as long as the benchmark. */
  readonly temporary: string;
  /** A database with animals and one key, to be copied. */
  readonly database: string;
  /** The key that is in it. */
  readonly key: string;
}

export interface WorkspaceOptions {
  /** Absolute path of the Node.js that servers run on. */
  readonly node: string;
  /** Folder of the packages. Default: one for this run. */
  readonly folder?: string | undefined;
}

/** Needs what `npm run build` makes. */
export function createWorkspace({ folder, node }: WorkspaceOptions): Workspace {
  const temporary = createTemporary();
  const root = folder ?? join(temporary, "packages");
  installPackages(root, FRAMEWORK_PACKAGES);
  // At the same depth as in the repository, so that what the servers import from `dist/` is found, and with it the
  // packages of the repository: a link is followed before a module is loaded.
  const servers = join(root, SERVERS);
  rmSync(servers, { recursive: true, force: true });
  mkdirSync(servers, { recursive: true });
  cpSync(join(REPOSITORY, SERVERS), servers, { recursive: true });
  // The links of another checkout are replaced.
  const links = { dist: join(REPOSITORY, "dist"), "node_modules/tenon": join(REPOSITORY, "src/tenon") };
  for (const [link, target] of Object.entries(links)) {
    rmSync(join(root, link), { force: true });
    symlinkSync(target, join(root, link), "junction");
  }
  return fill({ root, servers, temporary }, node);
}

/**
 * For servers that need no other packages than their checkout's: they run where they are. Needs what `npm run build` makes.
 * @param repository Absolute path of a checkout; default: this one.
 */
export function createOwnWorkspace(node: string, repository = REPOSITORY): Workspace {
  const temporary = createTemporary();
  try {
    return fill({ root: repository, servers: join(repository, SERVERS), temporary }, node);
  } catch (cause) {
    const advice = "run `npm ci --ignore-scripts` and `npm run build` there";
    throw new Error(`${repository} must be a built checkout: ${advice}`, { cause });
  }
}

function fill(folders: Pick<Workspace, "root" | "servers" | "temporary">, node: string): Workspace {
  const { servers, temporary } = folders;
  const database = join(temporary, "seed.db");
  const argv = [...NODE_OPTIONS, join(servers, "seed-database.mjs"), database];
  const key = execFileSync(node, argv, { encoding: "utf8" }).trim();
  return { ...folders, database, key };
}

/** Creates a folder that is removed when this process ends. Servers end with it by themselves: each has a channel to it. */
function createTemporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  process.once("exit", () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
