import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Site, SITE_FILE } from "tenon/docs";
import { cannotWrite } from "../output/write-error.js";
import { PAGE_POLICY } from "./policy.js";
import type { DocsFile } from "./site.js";

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
  const texts = [...files].map(([name, { text }]) => [name, text] as const);
  for (const [name, text] of [...texts, [SITE_FILE, `${JSON.stringify(site, null, 2)}\n`] as const]) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true }).catch(cannotWrite(file));
    await writeFile(file, text).catch(cannotWrite(file));
  }
}
