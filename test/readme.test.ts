import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { CONFIG_VARIABLES } from "../src/petstore/config.js";

const ROOT = new URL("../", import.meta.url);
const readme = readFileSync(new URL("README.md", ROOT), "utf8");
const petstore = readFileSync(new URL("src/petstore/README.md", ROOT), "utf8");
type Manifest = Partial<
  Record<
    | "scripts"
    | "dependencies"
    | "devDependencies"
    | "optionalDependencies"
    | "peerDependencies"
    | "overrides",
    Record<string, string>
  >
>;

/** Name in the README and package.json of each workspace, and of the repository around them. */
const manifests = [
  ["`tenon`", "src/tenon/"],
  ["`@tenon/cli`", "src/cli/"],
  ["`petstore`", "src/petstore/"],
  ["this repository", ""],
].map(([name = "", folder = ""]): [string, Manifest] => {
  const text = readFileSync(new URL(`${folder}package.json`, ROOT), "utf8");
  return [name, JSON.parse(text) as Manifest];
});
const [, { scripts = {}, overrides = {} }] = manifests.at(-1) ?? ["", {}];

/** Cells of every table row of a page under a heading, without padding. */
function rows(page: string, heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|") && !line.startsWith("| -"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const code = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

describe("the README of the Pet Store Service", () => {
  test("has every configuration variable with its default and meaning", () => {
    const told = rows(petstore, "Configuration").slice(1);
    const want = CONFIG_VARIABLES.map(({ name, meaning, default: value, productionDefault }) => [
      `\`${name}\``,
      (value === undefined ? "none" : `\`${value}\``) +
        (productionDefault === undefined ? "" : `; in production \`${productionDefault}\``),
      meaning,
    ]);
    expect(told).toEqual(want);
  });
});

describe("README", () => {
  test("starts with the commands that run the service and the tests", () => {
    expect(readme.split("\n").slice(0, 20).join("\n")).toContain("```sh\nnpm start\nnpm test\n```");
  });

  test("can be read in five minutes", () => {
    expect(readme.split("\n").length).toBeLessThan(290);
  });

  test.each(manifests)("has every dependency of %s with its reason, and no other", (name, manifest) => {
    const listed = rows(readme, "Dependencies")
      .filter(([of]) => of === name)
      .flatMap(([, names = ""]) => code(names));
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
    expect(listed.sort()).toEqual(Object.keys(all).sort());
  });

  test("has every override with its reason", () => {
    expect(Object.keys(overrides)).not.toEqual([]);
    for (const name of Object.keys(overrides)) expect(readme).toContain(`\`${name}\``);
  });

  test("names scripts that exist", () => {
    const used = [...`${readme}${petstore}`.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map(
      ([, name = ""]) => name,
    );
    expect(used.filter((name) => !(name in scripts))).toEqual([]);
    expect(used.length).toBeGreaterThan(10);
  });

  test("shows the folders as a tree that fits a screen, and each of them exists", () => {
    const [, tree = ""] = /```text\n([^]*?)```/.exec(readme.split("## Working on it\n")[1] ?? "") ?? [];
    const lines = tree.trimEnd().split("\n");
    expect(lines.length).toBeLessThan(30);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    const parents: string[] = [];
    const paths = lines.flatMap((line) => {
      const depth = line.search(/\S/) / 2;
      const [, list = ""] = /^ *(.*?) {2,}/.exec(`${line}  `) ?? [];
      const names = list.split(" ");
      parents.splice(depth, parents.length, names[0] ?? "");
      return names.map((name) => [...parents.slice(0, depth), name].join(""));
    });
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
    expect(paths.length).toBeGreaterThan(20);
  });
});

describe("packages", () => {
  test.each(manifests)("%s has exact versions, so that an install is the same everywhere", (_, manifest) => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(ranges).not.toEqual([]);
    expect(ranges.filter(([, version]) => !/^(?:npm:msw@)?\d/.test(version))).toEqual([]);
  });

  test("the lock file holds every optional build of every platform, and no registry's address", () => {
    const lock = readFileSync(new URL("package-lock.json", ROOT), "utf8");
    expect(lock).not.toMatch(/"resolved": "http/);
    const { packages } = JSON.parse(lock) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});
