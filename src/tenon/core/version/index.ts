/** Version of this package. A browser cannot read package.json, so `npm run release` writes the version here too. */
export const VERSION = "0.1.0";

/**
 * Part of the version that generated code depends on: `0.1` of 0.1.7, `1` of 1.2.3. Other parts change no line of it.
 * @see https://semver.org/#spec-item-4
 */
export const GENERATED_VERSION = toGeneratedVersion(VERSION);

/** {@link GENERATED_VERSION} of any version. */
export function toGeneratedVersion(version: string): string {
  return /^0\.\d+|^\d+/.exec(version)?.[0] ?? version;
}

/**
 * Checks that generated code was made for this version of Tenon.
 * @param generated {@link GENERATED_VERSION} at the time of generation.
 * @throws {Error} that names the versions of the generated code, of `tenon` and, where it is installed, of `@tenon/cli`.
 */
export function assertGeneratedVersion(generated: string): void {
  if (generated === GENERATED_VERSION) return;
  const command = readCommandVersion();
  throw new Error(
    `Generated code for tenon ${generated} does not work with tenon ${VERSION}` +
      (command === undefined ? "" : `, @tenon/cli is ${command}`) +
      `. Install the same version of tenon and @tenon/cli, then run "npx tenon generate".`,
  );
}

/** The part of Node that is used here. The client compiles for browsers, where `NodeJS.Process` is unknown. */
interface NodeProcess {
  cwd(): string;
  getBuiltinModule(id: "node:module"): {
    createRequire(path: string): (id: string) => { readonly version: string };
  };
}

/** Reads the version of the installed `@tenon/cli`: production has none, and a browser cannot look for it. */
function readCommandVersion(): string | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  try {
    const require = process?.getBuiltinModule("node:module").createRequire(`${process.cwd()}/package.json`);
    return require?.("@tenon/cli/package.json").version;
  } catch {
    return undefined;
  }
}
