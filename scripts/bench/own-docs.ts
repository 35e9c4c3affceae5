import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Router } from "express";
import { createDocsSite, type DocumentedContract } from "../../src/cli/docs/index.js";
import { writeSite } from "../../src/cli/docs/site/write-site.js";
import { createDocsRouter } from "../../src/tenon/docs/index.js";

/** Builds Tenon's own docs of a contract in a temporary folder and serves them. */
export async function createOwnDocs(contract: DocumentedContract): Promise<Router> {
  const folder = await mkdtemp(join(tmpdir(), "tenon-docs-"));
  await writeSite(new Map(createDocsSite(contract).map((file) => [file.name, file])), folder);
  return createDocsRouter({ folder });
}
