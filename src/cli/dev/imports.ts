import ts from "#typescript";
import { fromCompiler, readTsconfig } from "../impact/index.js";

/** A module that is loaded by its URL, for example in a thread: `new URL("./worker.js", import.meta.url)`. */
const LOADED = /\bnew URL\(\s*["'](\.[^"']+)["']\s*,\s*import\.meta\.url\s*\)/g;

/**
 * Finds the project's files that a module imports, directly or not, with the module itself. Installed packages are left out.
 * @param main Absolute path of a module.
 * @param configFile Absolute path of the tsconfig.json, whose paths and conditions apply.
 * @returns Absolute paths.
 */
export function findImports(main: string, configFile: string): ReadonlySet<string> {
  const { options } = readTsconfig(configFile);
  const cache = ts.createModuleResolutionCache(ts.sys.getCurrentDirectory(), (path) => path, options);
  const resolve = (name: string, from: string) => {
    for (const mode of [ts.ModuleKind.ESNext, ts.ModuleKind.CommonJS] as const) {
      const { resolvedModule } = ts.resolveModuleName(name, from, options, ts.sys, cache, undefined, mode);
      if (resolvedModule !== undefined) return resolvedModule.resolvedFileName;
    }
    return undefined;
  };
  const found = new Set([main]);
  // Grows while it is read.
  for (const path of found) {
    // Undefined for a missing or unreadable file, which the compiler reports.
    const text = (path.endsWith(".json") ? undefined : ts.sys.readFile(path)) ?? "";
    const imported = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
    for (const name of [...imported, ...[...text.matchAll(LOADED)].map(([, url = ""]) => url)]) {
      const target = resolve(name, path);
      if (target !== undefined && !target.includes("/node_modules/")) found.add(fromCompiler(target));
    }
  }
  return found;
}
