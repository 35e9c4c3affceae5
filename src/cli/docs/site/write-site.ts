import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Site, SITE_FILE } from "tenon/docs";
import { getValue, toArray } from "tenon/core/document";
import { isBelow } from "../../load/index.js";
import { cannotWrite, createFolder } from "../../output/write-files.js";
import type { DocsFile } from "../assets/docs-file.js";
import { PAGE_POLICY } from "../assets/page-policy.js";

/**
 * Writes the files of a docs site, and then the list of them that `createDocsRouter` reads. Files of the site that was there before are
 * removed, if this one does not have them.
 * @param files By path below the folder.
 * @throws {WriteError}
 */
export async function writeSite(files: ReadonlyMap<string, DocsFile>, folder: string): Promise<void> {
  const site: Site = {
    policy: PAGE_POLICY,
    files: [...files].map(([name, { mediaType, policy }]) => ({
      name,
      mediaType,
      ...(policy && { policy }),
    })),
  };
  const former = await listFiles(folder);
  for (const name of new Set([...files.keys()].map(dirname)))
    await createFolder(join(folder, name)).catch(cannotWrite(join(folder, name)));
  const waiting = files.entries();
  const writeNext = async () => {
    for (const [name, { text, encoding }] of waiting) await writeChanged(join(folder, name), text, encoding);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writeNext));
  await writeWhole(join(folder, SITE_FILE), `${JSON.stringify(site, null, 2)}\n`);
  for (const name of former) {
    const file = join(folder, name);
    if (!files.has(name) && isBelow(folder, file)) await rm(file, { force: true }).catch(cannotWrite(file));
  }
}

/** Files that are written at the same time. */
const AT_ONCE = 16;

/** Lists the files of the site that a folder has, if there is one. */
async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const site = JSON.parse(await readFile(join(folder, SITE_FILE), "utf8")) as unknown;
    return toArray(getValue(site, "files")).map((file) => String(getValue(file, "name")));
  } catch {
    return [];
  }
}

/** Most files of a large site are as they were, and reading one takes a fraction of the time. */
async function writeChanged(file: string, text: string, encoding: BufferEncoding = "utf8"): Promise<void> {
  const before = await readFile(file, encoding).catch(() => undefined);
  if (before !== text) await writeWhole(file, text, encoding);
}

/** A service may read the file meanwhile: it gets the old text or the new one. */
async function writeWhole(file: string, text: string, encoding: BufferEncoding = "utf8"): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, text, encoding).catch(cannotWrite(file));
  await rename(temporary, file).catch(cannotWrite(file));
}
