import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { CONFIG_VARIABLES } from "../src/petstore/config.js";

const ROOT = new URL("../", import.meta.url);
const readme = readFileSync(new URL("README.md", ROOT), "utf8");
const petstore = readFileSync(new URL("src/petstore/README.md", ROOT), "utf8");
const manifest = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")) as Record<
  "scripts" | "dependencies" | "devDependencies" | "optionalDependencies" | "overrides",
  Record<string, string>
>;

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
    expect(readme.split("\n").length).toBeLessThan(280);
  });

  test("has every dependency with its reason, and no other", () => {
    const told = rows(readme, "Dependencies")
      .slice(1)
      .flatMap(([names = ""]) => code(names));
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const want = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(told.sort()).toEqual(want.sort());
    for (const name of Object.keys(manifest.overrides)) expect(readme).toContain(`\`${name}\``);
  });

  test("names scripts that exist", () => {
    const used = [...`${readme}${petstore}`.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map(
      ([, name = ""]) => name,
    );
    expect(used.filter((name) => !(name in manifest.scripts))).toEqual([]);
    expect(used.length).toBeGreaterThan(10);
  });

  test("names folders that exist", () => {
    const folders = rows(readme, "Working on it").flatMap(([name = ""]) =>
      code(name).filter((text) => text.endsWith("/")),
    );
    expect(folders.filter((folder) => !existsSync(new URL(folder, ROOT)))).toEqual([]);
    expect(folders.length).toBeGreaterThan(4);
  });
});

describe("packages", () => {
  test("direct versions are exact, so that an install is the same everywhere", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(ranges.filter(([, version]) => !/^\d/.test(version))).toEqual([]);
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
