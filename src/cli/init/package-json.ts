import type { OwnPackage } from "./own-package.js";
import type { OwnSource } from "./own-source.js";

export interface PackageJsonOptions {
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
      dev: "tenon dev",
      build:
        "tenon generate && tsc -p tsconfig.build.json && tenon docs --out dist/generated/v1/docs --service ../v1",
      start: "node dist/src/main.js",
      pretest: "tenon generate",
      test: "node --import tsx --test test/*.test.ts",
      lint: "tenon lint",
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
