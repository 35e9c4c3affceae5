import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * What Node takes the `.js` files of a folder for, by the nearest package.json.
 * @param folder Absolute path; need not be there yet.
 * @returns undefined where no package.json says it.
 * @see https://nodejs.org/api/packages.html#type
 */
export function findPackageType(folder: string): "module" | "commonjs" | undefined {
  const type = readType(join(folder, "package.json"));
  if (type !== undefined) return type === "module" ? "module" : "commonjs";
  const parent = dirname(folder);
  return parent === folder ? undefined : findPackageType(parent);
}

/** @returns undefined when there is no such file, or it is not read as JSON; null when it has no `type`. */
function readType(file: string): unknown {
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { readonly type?: unknown } | null;
    return manifest?.type ?? null;
  } catch {
    return undefined;
  }
}
