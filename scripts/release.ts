// Makes a release: `npm run release -- minor`. It writes the version and the day into CHANGELOG.md and the version wherever else it is,
// commits and tags; pushing the tag publishes (.github/workflows/release.yml). With --check it reports why this commit must not be published.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { breaks, hasRelease, readUnreleased, release } from "./release/changelog.js";
import { chooseVersion } from "./release/choose-version.js";
import { git, hasTag, listUncommitted } from "./release/git.js";
import { readManifest, writeVersion } from "./release/write-version.js";

const USAGE = "Usage: npm run release -- major|minor|patch|<version>, or --check";

const root = process.cwd();
const read = (name: string) => readFileSync(join(root, name), "utf8");

function makeRelease(wanted: string): void {
  if (listUncommitted(root) !== "")
    throw new Error("There are changes that are not committed: a release is what a commit has.");
  const changelog = read("CHANGELOG.md");
  const unreleased = readUnreleased(changelog);
  if (unreleased === "")
    throw new Error('CHANGELOG.md has nothing below "Unreleased": there is nothing to release.');
  const { version: current } = readManifest(root);
  const released = hasTag(root, `v${current}`);
  const version = chooseVersion({ wanted, current, released, breaking: breaks(unreleased) });
  if (hasTag(root, `v${version}`)) throw new Error(`There is a tag v${version} already.`);
  writeFileSync(
    join(root, "CHANGELOG.md"),
    release(changelog, version, new Date().toISOString().slice(0, 10)),
  );
  writeVersion(root, version);
  git(root, "commit", "--quiet", "--all", "--message", `release: ${version}`);
  git(root, "tag", "--annotate", `v${version}`, "--message", `Version ${version}`);
  process.stdout.write(`v${version} is committed and tagged. To publish it:\n  git push --follow-tags\n`);
}

/** @throws when this is not the commit of a release. */
function checkRelease(): void {
  const { version, workspaces = [] } = readManifest(root);
  if (git(root, "tag", "--list", `v${version}`, "--points-at", "HEAD") === "")
    throw new Error(`This commit has no tag v${version}: make one by "npm run release".`);
  if (!hasRelease(read("CHANGELOG.md"), version))
    throw new Error(`CHANGELOG.md has no heading of ${version}.`);
  for (const folder of workspaces) {
    const manifest = readManifest(root, folder);
    if (manifest.version !== version)
      throw new Error(`${folder}/package.json has version ${manifest.version}, and package.json ${version}.`);
    if (manifest.private !== true && manifest.repository === undefined)
      throw new Error(
        `${folder}/package.json has no "repository", which provenance needs: the workflow release.yml publishes.`,
      );
  }
}

const [wanted, ...rest] = process.argv.slice(2);
try {
  if (wanted === undefined || rest.length > 0) throw new Error(USAGE);
  if (wanted === "--check") checkRelease();
  else makeRelease(wanted);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
