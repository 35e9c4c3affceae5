import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../output/context.js";
import type { OwnPackage } from "./own-package.js";

interface PackageJsonOptions {
  /** Name of the service's folder. */
  readonly name: string;
  readonly source: OwnSource;
  readonly own: OwnPackage;
}

/** The package.json of a new service, with the exact versions that this Tenon was tested with. */
export function createPackageJson({ name, source, own }: PackageJsonOptions): object {
  const pick = (...names: readonly string[]) =>
    Object.fromEntries(names.map((dependency) => [dependency, own.devDependencies[dependency]]));
  return {
    name: toPackageName(name),
    version: "0.1.0",
    private: true,
    type: "module",
    engines: own.engines,
    scripts: {
      // A shell that stays would end at npm's signal, and leave what it runs behind. Windows has no `exec`, and no such signals.
      dev: "exec tenon dev || tenon dev",
      build:
        "tenon generate && tsc -p tsconfig.build.json && tenon docs --out dist/generated/v1/docs --service ../v1",
      start: "exec node dist/src/main.js || node dist/src/main.js",
      pretest: "tenon generate",
      // Node.js 20 and 24 have different default reporters.
      test: "node --import tsx --test --test-reporter=spec test/*.test.ts",
      lint: "tenon lint",
      // The task of VS Code. PowerShell 5 has no `&&`; npm runs scripts with another shell.
      check: "tenon lint && tsc --noEmit --pretty false",
      generate: "tenon generate",
      stubs: "tenon stubs",
      types: "tsc --noEmit",
    },
    dependencies: { ...pick("express"), tenon: source.tenon },
    devDependencies: {
      "@tenon/cli": source.cli,
      ...pick("@types/express", "@types/node", "tsx"),
      typescript: own.dependencies["typescript"],
    },
    overrides: own.overrides,
  };
}

/** `My Service!` becomes `my-service`. */
function toPackageName(name: string): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== "").join("-") || "service";
}

/** The versions of `tenon` and `@tenon/cli` in a package.json. */
interface OwnSource {
  readonly tenon: string;
  readonly cli: string;
}

/**
 * Finds the source of the running Tenon for a new project: the same version from the registry, the tarball that npm installed it
 * from with `tenon-X.tgz` beside it, or this working copy. npm notes where each package came from.
 * @param root Absolute path of the folder that `@tenon/cli` is in.
 * @param folder Absolute path of the project's folder, which `file:` paths are relative to.
 * @throws {UsageError} when `tenon-X.tgz` is missing beside `tenon-cli-X.tgz`.
 */
export function findOwnSource(root: string, folder: string, version: string): OwnSource {
  const toFile = (path: string) => `file:${relative(folder, path).split(sep).join("/")}`;
  // <packages>/@tenon/cli
  const packages = dirname(dirname(root));
  if (basename(packages) !== "node_modules")
    return { tenon: toFile(join(dirname(root), "tenon")), cli: toFile(root) };
  const { resolved = "" } = readLock(packages).packages?.["node_modules/@tenon/cli"] ?? {};
  if (!resolved.startsWith("file:")) return { tenon: version, cli: version };
  const cli = resolve(dirname(packages), resolved.slice("file:".length));
  const tenon = join(dirname(cli), basename(cli).replace(/^tenon-cli-/, "tenon-"));
  if (tenon === cli || !existsSync(tenon))
    throw new UsageError(`${basename(cli)} needs tenon-${version}.tgz in the same folder: ${dirname(cli)}`);
  return { tenon: toFile(tenon), cli: toFile(cli) };
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/** Other package managers have no such file. */
function readLock(packages: string): Lock {
  try {
    return JSON.parse(readFileSync(join(packages, ".package-lock.json"), "utf8")) as Lock;
  } catch {
    return {};
  }
}
