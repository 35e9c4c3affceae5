import type { OwnPackage } from "./own-package.js";

export interface PackageJsonOptions {
  /** Name of the service's folder. */
  readonly name: string;
  /** Where `tenon` comes from: a version, or `file:` and a path. */
  readonly tenon: string;
  readonly own: OwnPackage;
}

/** The package.json of a new service, with the exact versions that this Tenon was tested with. */
export function createPackageJson({ name, tenon, own }: PackageJsonOptions): object {
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
      prestart: "tenon generate",
      start: "node --import tsx src/main.ts",
      pretest: "tenon generate",
      test: "node --import tsx --test test/*.test.ts",
      lint: "tenon lint",
      generate: "tenon generate",
      stubs: "tenon stubs",
      types: "tsc --noEmit",
    },
    dependencies: { ...pick("express"), tenon, ...pick("tsx") },
    devDependencies: { ...pick("@types/express", "@types/node"), typescript: own.dependencies["typescript"] },
    overrides: pickOverrides(own),
  };
}

/** `My Service!` becomes `my-service`. */
function toPackageName(name: string): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== "").join("-") || "service";
}

/** Of this repository's overrides, the one for a package that a service gets too; npm heeds only those of the root. */
function pickOverrides({ overrides }: OwnPackage): object {
  const name = "@apidevtools/json-schema-ref-parser";
  return { [name]: overrides[name] };
}
