import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { compileProjects } from "../support/create-program.js";
import { endProcesses } from "../support/petstore-process.js";
import { readSteps } from "./block.js";
import { Folders } from "./folders.js";
import { type Correction, Session } from "./session.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const GUIDE = "src/cli/guide";

const guide = readdirSync(join(ROOT, GUIDE), { recursive: true, encoding: "utf8" });
const pages = [
  "README.md",
  "src/petstore/README.md",
  "src/petstore/store/postgres/README.md",
  "src/cli/recipes/README.md",
  ...guide.filter((path) => path.endsWith(".md")).map((path) => `${GUIDE}/${path}`),
];

/**
 * Takes every step of a page; with `UPDATE_FIXTURES=1` what is shown otherwise than it is, is written as it is.
 * @returns The folders with TypeScript that is still to be compiled.
 */
async function follow(page: string, folders: Folders): Promise<readonly string[]> {
  const markdown = readFileSync(join(ROOT, page), "utf8");
  const corrections: Correction[] = [];
  const mayCorrect = process.env["UPDATE_FIXTURES"] !== undefined;
  const session = new Session(folders, mayCorrect ? (correction) => corrections.push(correction) : undefined);
  let line = 0;
  try {
    for (const step of readSteps(markdown)) {
      ({ line } = step);
      await session.take(step);
    }
    await session.finish();
    return session.uncompiled;
  } catch (error) {
    throw new Error(`${page}:${line}: ${(error as Error).message}`, { cause: error });
  } finally {
    await session.end();
    if (corrections.length > 0) writeFileSync(join(ROOT, page), correct(markdown, corrections));
  }
}

function correct(markdown: string, corrections: readonly Correction[]): string {
  const lines = markdown.split("\n");
  for (const { from, to, text } of corrections.toReversed())
    lines.splice(from - 1, to - from + 1, ...(text === "" ? [] : text.split("\n")));
  return lines.join("\n");
}

/** Tests some of the pages: two files share them, so that two processes do. */
export function followPages(isOwn: (name: string) => boolean): void {
  describe("what a page tells to do, done as it stands:", () => {
    let folders: Folders;
    const uncompiled = new Map<string, string>();

    beforeAll(() => {
      folders = new Folders();
    });

    afterAll(async () => {
      await endProcesses();
      rmSync(folders.root, { recursive: true });
    });

    test.each(pages.filter((page) => isOwn(basename(page).toLowerCase())))("%s", async (page) => {
      for (const folder of await follow(page, folders)) uncompiled.set(folder, page);
    });

    test("and the TypeScript of all of them compiles", () => {
      let errors = compileProjects(uncompiled.keys(), folders.root);
      for (const [folder, page] of uncompiled)
        errors = errors.replace(new RegExp(`^${relative(folders.root, folder)}/`, "gm"), `${page}: `);
      expect(errors).toBe("");
    });
  });
}
