import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Changelog, CHANGELOG_FILE } from "../../changelog/index.js";

/**
 * Reads the `changelog.json` beside a generated contract, which `tenon changelog --out` wrote: a service that is deployed has no git
 * to ask.
 * @param contractUrl The contract's, as `server.ts` exports it, or any other file's of its folder.
 * @returns undefined when there is none.
 * @throws when it is something else.
 */
export function readChangelog(contractUrl: URL): Changelog | undefined {
  const url = new URL(CHANGELOG_FILE, contractUrl);
  let text: string;
  try {
    text = readFileSync(url, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const changelog = parse(text);
  if (!Array.isArray(changelog?.versions) || !Array.isArray(changelog.unreadable))
    throw new Error(`${fileURLToPath(url)} is no changelog; write it with "tenon changelog --out"`);
  return changelog;
}

function parse(text: string): Changelog | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as Changelog | undefined;
  } catch {
    return undefined;
  }
}
