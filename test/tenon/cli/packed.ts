import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/tenon-packed");
const COMMAND = "dist/src/tenon/cli/main.js";

/** What the package is made from; of the rest of the repository nothing is in it. */
const SOURCES = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "generated",
  "package.json",
  "scripts",
  "src",
  "tsconfig.json",
];

export interface Packed {
  /** The file that `npm pack` made. */
  readonly tarball: string;
  /** Paths of the files in it. */
  readonly files: readonly string[];
  /** A `node_modules` with the package, as npm unpacks it, and all that is installed in this repository. */
  readonly modules: string;
}

/**
 * Packs this Tenon as `npm pack` does, built anew in a copy so that this repository's own dist/ stays as it is. What was packed from the
 * same sources before is used again.
 */
export function packTenon(): Packed {
  const folder = join(CACHE, hashSources());
  if (!existsSync(folder)) makeFolder(folder);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  const packed = join(folder, "node_modules/tenon");
  const files = readdirSync(packed, { recursive: true, encoding: "utf8" });
  return {
    tarball,
    files: files.filter((path) => statSync(join(packed, path)).isFile()).sort(),
    modules: join(folder, "node_modules"),
  };
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    if (!existsSync(path)) continue;
    const isFolder = statSync(path).isDirectory();
    const files = isFolder ? readdirSync(path, { recursive: true, encoding: "utf8" }).sort() : [""];
    for (const file of files) {
      if (!statSync(join(path, file)).isFile()) continue;
      hash.update(`${source}/${file}\n`);
      // What a page says changes nothing that is run.
      if (!(source + file).endsWith(".md")) hash.update(readFileSync(join(path, file)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/** Makes it beside its place, since another test may make the same at the same time. */
function makeFolder(folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const made = mkdtempSync(join(CACHE, "making-"));
  const copy = join(made, "copy");
  for (const source of SOURCES)
    if (existsSync(join(ROOT, source))) cpSync(join(ROOT, source), join(copy, source), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  // What `prepack` does, but for installing.
  const options = { cwd: copy, encoding: "utf8", stdio: "pipe" } as const;
  execFileSync("npm", ["run", "--silent", "build"], options);
  const argv = ["pack", "--silent", "--ignore-scripts", "--pack-destination", made];
  const name = execFileSync("npm", argv, options).trim();
  rmSync(copy, { recursive: true });

  const modules = join(made, "node_modules");
  linkModules(modules);
  mkdirSync(join(modules, "tenon"));
  execFileSync("tar", ["-xzf", join(made, name), "-C", join(modules, "tenon"), "--strip-components=1"]);
  chmodSync(join(modules, "tenon", COMMAND), 0o755);
  symlinkSync(join("../tenon", COMMAND), join(modules, ".bin/tenon"));
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Links what is installed here. */
function linkModules(modules: string): void {
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const installed = join(ROOT, "node_modules");
  for (const name of readdirSync(installed).filter((entry) => !entry.startsWith(".")))
    symlinkSync(join(installed, name), join(modules, name));
  for (const name of readdirSync(join(installed, ".bin")))
    symlinkSync(join(installed, ".bin", name), join(modules, ".bin", name));
}
