import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDocsSite, type DocumentedContract, type SiteOptions } from "../../../src/cli/docs/index.js";

/** Writes a site into a new folder. Whoever calls it deletes the folder. */
export function writeSite(
  contract: DocumentedContract,
  options?: SiteOptions,
): { folder: string; toUrl: (name?: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), "tenon-docs-"));
  for (const { name, text } of createDocsSite(contract, options)) writeFileSync(join(folder, name), text);
  return { folder, toUrl: (name = "index.html") => pathToFileURL(join(folder, name)).href };
}
