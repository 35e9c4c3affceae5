import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Esbuild from "esbuild";

/**
 * Bundles a script of the pages with its imports, for browsers since 2024. It needs esbuild, a development dependency: the build of
 * the package calls it, so that the package has only the results.
 * @param entry A file of `browser/`.
 * @returns The script's text, in ASCII, with the licences of the packages that are in it.
 * @throws {Esbuild.BuildFailure} when it does not compile.
 */
export function buildBrowserScript(entry: URL): string {
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof Esbuild;
  const folder = fileURLToPath(new URL(".", entry));
  const noFiles = join(folder, "no-files.ts");
  const { outputFiles, metafile } = buildSync({
    entryPoints: [fileURLToPath(entry)],
    absWorkingDir: folder,
    bundle: true,
    // Sources import sources, built files import built files.
    conditions: extname(import.meta.url) === ".ts" ? ["tenon-source"] : [],
    write: false,
    metafile: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "inline",
    // The schemas' validator could read files, which a page cannot.
    alias: Object.fromEntries(["node:fs", "node:fs/promises", "node:url"].map((name) => [name, noFiles])),
  });
  return [
    ...outputFiles.map(({ text }) => text),
    ...listPackages(Object.keys(metafile.inputs), folder).map(toNotice),
  ].join("");
}

/** Lists the folders of the packages that files belong to. */
function listPackages(files: readonly string[], folder: string): readonly string[] {
  const packages = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(packages)].sort().map((path) => join(folder, path));
}

/** Creates the notice that a licence requires wherever its code is published. */
function toNotice(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
  };
  const file = readdirSync(folder).find((one) => /^licen[cs]e(?:\.\w+)?$/i.test(one));
  if (file === undefined) throw new Error(`Package ${name} has no licence that could go with its code`);
  const text = readFileSync(join(folder, file), "utf8").trim().replaceAll("*/", "* /");
  return `/*! ${name} ${version}\n\n${text.replaceAll(/[^\n -~]/g, "")}\n*/\n`;
}
