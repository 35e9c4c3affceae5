import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Site, SITE_FILE } from "tenon/docs";
import { cannotWrite, createFolder } from "../../output/write-files.js";
import type { DocsFile } from "../assets/docs-file.js";
import { PAGE_POLICY } from "../assets/page-policy.js";

/**
 * Writes the files of a docs site, and last the list of them that `createDocsRouter` reads.
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
  for (const [name, { text, encoding }] of files) await writeWhole(join(folder, name), text, encoding);
  await writeWhole(join(folder, SITE_FILE), `${JSON.stringify(site, null, 2)}\n`);
}

/** A service may read the file meanwhile: it gets the old text or the new one. */
async function writeWhole(file: string, text: string, encoding?: "latin1"): Promise<void> {
  await createFolder(dirname(file)).catch(cannotWrite(file));
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, text, encoding).catch(cannotWrite(file));
  await rename(temporary, file).catch(cannotWrite(file));
}
