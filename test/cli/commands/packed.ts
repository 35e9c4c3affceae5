import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { makeOnce } from "../../support/make-once.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/tenon-packed");
const COMMAND = "dist/main.js";

/** What the packages are made from; of the rest of the repository nothing is in them. */
const SOURCES = ["package.json", "src/cli", "src/tenon", "tsconfig.build.json", "tsconfig.json"];

export interface Packed {
  /** The files that `npm pack` made: `tenon-X.tgz` and `tenon-cli-X.tgz`. */
  readonly tarballs: readonly string[];
  /** Paths of the files in each, by the package's name. */
  readonly files: Readonly<Record<"tenon" | "@tenon/cli", readonly string[]>>;
  /** A `node_modules` with both packages, as npm unpacks them, and all that is installed in this repository. */
  readonly modules: string;
}

/**
 * Packs both packages as `npm pack` does, built anew in a copy so that this repository's own files stay as they are. What was packed
 * from the same sources before is used again.
 */
export function packTenon(): Packed {
  const folder = join(CACHE, hashSources());
  makeOnce(folder, makeFolder);
  const list = (name: string) => {
    const packed = join(folder, "node_modules", name);
    const files = readdirSync(packed, { recursive: true, encoding: "utf8" });
    return files.filter((path) => statSync(join(packed, path)).isFile()).sort();
  };
  return {
    tarballs: readdirSync(folder)
      .filter((name) => name.endsWith(".tgz"))
      .map((name) => join(folder, name)),
    files: { tenon: list("tenon"), "@tenon/cli": list("@tenon/cli") },
    modules: join(folder, "node_modules"),
  };
}

/** Installs both packages and some that they need into a project, as links. */
export function installPacked(folder: string, packages: readonly string[]): void {
  const { modules } = packTenon();
  for (const scope of ["@types", "@tenon"])
    mkdirSync(join(folder, "node_modules", scope), { recursive: true });
  for (const name of ["tenon", "@tenon/cli", ...packages])
    symlinkSync(join(modules, name), join(folder, "node_modules", name));
}

/** The command of the packages, to run with Node.js. */
export const toPackedCommand = (): string => join(packTenon().modules, "@tenon/cli", COMMAND);

/** Built files are not sources. */
const isSource = (path: string): boolean => !/(?:^|\/)dist(?:$|\/)/.test(relative(ROOT, path));

function hashSources(): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const isFolder = statSync(path).isDirectory();
    const files = isFolder ? readdirSync(path, { recursive: true, encoding: "utf8" }).sort() : [""];
    for (const file of files) {
      if (!isSource(join(path, file)) || !statSync(join(path, file)).isFile()) continue;
      hash.update(`${source}/${file}\n`);
      // What a page says changes nothing that is run.
      if (!(source + file).endsWith(".md")) hash.update(readFileSync(join(path, file)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/** Builds and packs in a folder that is moved to its place afterwards. */
function makeFolder(made: string): void {
  const copy = join(made, "copy");
  for (const source of SOURCES)
    cpSync(join(ROOT, source), join(copy, source), { recursive: true, filter: isSource });
  // The types are checked by `npm run types`.
  const settings = join(copy, "tsconfig.build.json");
  writeFileSync(
    settings,
    readFileSync(settings, "utf8").replace('"noEmit": false', '"noEmit": false, "noCheck": true'),
  );
  linkInstalled(copy);
  const options = { cwd: copy, encoding: "utf8", stdio: "pipe" } as const;
  for (const name of ["tenon", "cli"])
    execFileSync("npm", ["run", "--silent", "build"], { ...options, cwd: join(copy, "src", name) });
  const modules = join(made, "node_modules");
  linkModules(modules);
  for (const [source, name] of [
    ["tenon", "tenon"],
    ["cli", "@tenon/cli"],
  ] as const) {
    const argv = ["pack", "--silent", "--ignore-scripts", "--pack-destination", made];
    const tarball = execFileSync("npm", argv, { ...options, cwd: join(copy, "src", source) }).trim();
    mkdirSync(join(modules, name), { recursive: true });
    execFileSync("tar", ["-xzf", join(made, tarball), "-C", join(modules, name), "--strip-components=1"]);
  }
  rmSync(copy, { recursive: true });
  chmodSync(join(modules, "@tenon/cli", COMMAND), 0o755);
  symlinkSync(join("../@tenon/cli", COMMAND), join(modules, ".bin/tenon"));
}

/** Gives a copy of this repository everything that is installed here, and its own workspaces. */
export function linkInstalled(copy: string): void {
  const modules = join(copy, "node_modules");
  linkModules(modules);
  symlinkSync("../src/tenon", join(modules, "tenon"));
  mkdirSync(join(modules, "@tenon"));
  symlinkSync("../../src/cli", join(modules, "@tenon/cli"));
}

/** Links what is installed here, but for the workspaces. */
function linkModules(modules: string): void {
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const installed = join(ROOT, "node_modules");
  const own = ["tenon", "@tenon", "petstore"];
  for (const name of readdirSync(installed).filter((entry) => !entry.startsWith(".") && !own.includes(entry)))
    symlinkSync(join(installed, name), join(modules, name));
  for (const name of readdirSync(join(installed, ".bin")).filter((entry) => entry !== "tenon"))
    symlinkSync(join(installed, ".bin", name), join(modules, ".bin", name));
}
