import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type * as Esbuild from "esbuild";

/**
 * Bundles a script of the pages, with all that it imports, into one that any browser since 2023 runs as it stands.
 * It needs esbuild, a development dependency: the build of the package does it, so that the package has only the results.
 * @param entry A file of `browser/`.
 * @returns The script's text, in ASCII.
 * @throws {Esbuild.BuildFailure} when it does not compile.
 */
export function buildBrowserScript(entry: URL): string {
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof Esbuild;
  const noFiles = fileURLToPath(new URL("no-files.ts", entry));
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "inline",
    // The schemas' validator could read files, which a page has none of.
    alias: Object.fromEntries(["node:fs", "node:fs/promises", "node:url"].map((name) => [name, noFiles])),
  });
  return outputFiles.map(({ text }) => text).join("");
}
