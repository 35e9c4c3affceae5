import { createRequire } from "node:module";
import { brotliCompressSync } from "node:zlib";
import type * as Esbuild from "esbuild";

/** Bundles a page for browsers and counts its bytes, also compressed as a web server would send them. */
export function measureBundle(page: string): { readonly minified: number; readonly compressed: number } {
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof Esbuild;
  const { outputFiles } = buildSync({
    entryPoints: [page],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error(`No bundle of ${page}`);
  return { minified: bundle.contents.length, compressed: brotliCompressSync(bundle.contents).length };
}
