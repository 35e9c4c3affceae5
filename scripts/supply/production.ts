import { readFileSync } from "node:fs";

/**
 * What the service runs with besides the toolkit's own dependencies. They stand among `devDependencies`, because whoever
 * uses the toolkit alone needs none of them.
 */
export const SERVICE_PACKAGES = ["express", "pino", "pg", "@photostructure/sqlite"];

/** What is served as it was built by others: what it was built of is in it, and in no file of ours. */
export const BUNDLED_PACKAGES = ["redoc"];

/** A package as `package-lock.json` has it. */
export interface LockedPackage {
  /** Where it differs from the path's: an alias. */
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** By path: `node_modules/express`; the project itself is the empty one. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** The lock file of a project. */
export function readLockedPackages(folder: URL): LockedPackages {
  const text = readFileSync(new URL("package-lock.json", folder), "utf8");
  return (JSON.parse(text) as { packages: LockedPackages }).packages;
}

/**
 * Everything that runs in production, whatever it is a dependency of.
 * @returns Paths of the lock file.
 */
export function findProduction(packages: LockedPackages): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const name of needed(packages[path] ?? {})) {
      const dependency = resolve(packages, path, name);
      if (dependency !== undefined) visit(dependency);
    }
  };
  for (const name of [...Object.keys(packages[""]?.dependencies ?? {}), ...SERVICE_PACKAGES])
    visit(`node_modules/${name}`);
  for (const name of BUNDLED_PACKAGES) found.add(`node_modules/${name}`);
  return found;
}

/** Names of what a package needs: a peer too, unless it says that it does without. */
function needed(of: LockedPackage): readonly string[] {
  const peers = Object.keys(of.peerDependencies ?? {});
  return [
    ...Object.keys(of.dependencies ?? {}),
    ...Object.keys(of.optionalDependencies ?? {}),
    ...peers.filter((name) => of.peerDependenciesMeta?.[name]?.optional !== true),
  ];
}

/** As Node finds it: in the package's own `node_modules`, then in those around it. */
function resolve(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "") return undefined;
  }
}

/** `@scope/name@1.2.3` for a path. */
export function toReference(packages: LockedPackages, path: string): string {
  const { name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), version = "" } =
    packages[path] ?? {};
  return `${name}@${version}`;
}
