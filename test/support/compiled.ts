import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { makeOnce } from "./make-once.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/tenon-compiled");

/** What the service is made of, and what tests start instead of it. */
const SOURCES = ["generated", "src/petstore", "src/tenon", "test/faults", "test/petstore", "test/support"];

let folder: string | undefined;

/**
 * Returns the compiled file of a module of the service, or of one that tests start instead. Compiled, the service starts in a third
 * of the time. All are compiled when the first is asked for, unless the same sources were compiled before.
 * @param path Relative to this repository, such as `src/petstore/main.ts`.
 * @returns An absolute path.
 */
export function toCompiled(path: string): string {
  folder ??= compile();
  return join(folder, path.replace(/\.ts$/, ".js"));
}

function compile(): string {
  const paths = SOURCES.flatMap(listCode);
  const compiled = join(CACHE, toKey(paths));
  makeOnce(compiled, (making) => {
    buildSync({
      absWorkingDir: ROOT,
      entryPoints: paths,
      outbase: ".",
      outdir: making,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "error",
    });
    writeFileSync(join(making, "package.json"), '{ "type": "module" }\n');
    for (const name of ["contract.json", "docs"])
      symlinkSync(join(ROOT, "generated/v1", name), join(making, "generated/v1", name));
    linkTenon(making);
  });
  return compiled;
}

function listCode(source: string): readonly string[] {
  return readdirSync(join(ROOT, source), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/(?:^|\/)dist\/|\.test\.ts$/.test(path))
    .map((path) => `${source}/${path}`);
}

/** Sources that were changed have another key. */
function toKey(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of [...paths, "src/tenon/package.json"]) {
    const { mtimeMs, size } = statSync(join(ROOT, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Lets the service import the compiled `tenon`; Node.js finds other packages further up. */
function linkTenon(making: string): void {
  const text = readFileSync(join(ROOT, "src/tenon/package.json"), "utf8");
  const manifest = JSON.parse(text, (_, value: Record<string, unknown>) => {
    const source = value["tenon-source"];
    return typeof source === "string" ? source.replace(/\.ts$/, ".js") : value;
  }) as object;
  writeFileSync(join(making, "src/tenon/package.json"), JSON.stringify(manifest));
  mkdirSync(join(making, "node_modules"));
  symlinkSync("../src/tenon", join(making, "node_modules/tenon"));
}
