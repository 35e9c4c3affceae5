import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const { files } = JSON.parse(readFileSync(join(ROOT, "src/cli/package.json"), "utf8")) as { files: string[] };

const below = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `${folder}/${path}`);

/** Pages of the package, which is all that somebody has who installed it. */
const packed = [...below("src/cli/guide"), "src/cli/recipes/README.md"];
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "src/petstore/README.md",
  "src/petstore/store/postgres/README.md",
  "test/faults/README.md",
  ...below("scripts/bench"),
  ...packed,
];

/** What a page says beside its blocks of code. */
const read = (page: string): string =>
  readFileSync(join(ROOT, page), "utf8").replace(/^(`{3,})[^]*?^\1$/gm, "");

/** The anchors of a page, as GitHub and npm make them of its headings. */
function findAnchors(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Relative links and pictures of a page that lead nowhere. */
function findBroken(page: string, exists: (path: string) => boolean): string[] {
  const links = [
    ...read(page)
      .replace(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link = ""]) => link);
  return links
    .filter((link) => !/^(?:https?|mailto):/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : normalize(join(dirname(page), path));
      if (!exists(target)) return true;
      return anchor !== undefined && !findAnchors(target).includes(anchor);
    });
}

describe("links lead to a file and a heading that are there:", () => {
  test.each(pages)("%s", (page) => {
    expect(findBroken(page, (path) => existsSync(join(ROOT, path)))).toEqual([]);
  });

  test.each(packed)("%s, in the package", (page) => {
    const isPacked = (path: string) =>
      files
        .map((entry) => `src/cli/${entry}`)
        .some((entry) => path === entry || (entry.endsWith("/") && `${path}/`.startsWith(entry)));
    expect(findBroken(page, (path) => existsSync(join(ROOT, path)) && isPacked(path))).toEqual([]);
  });

  test("the index of the guide has every page", () => {
    const index = read("src/cli/guide/README.md");
    const pathsOf = packed.filter((page) => page.startsWith("src/cli/guide/"));
    const missing = pathsOf
      .map((page) => page.slice("src/cli/guide/".length))
      // Each tool's page has its row in that folder's own index.
      .filter((page) => page !== "README.md" && !/^migrate\/(?!README)/.test(page))
      .filter((page) => !index.includes(`](${page})`));
    expect(missing).toEqual([]);
  });
});
