import { execFileSync, spawnSync } from "node:child_process";

/** Runs git in a folder, and returns what it wrote. @throws with git's own words. */
export function git(cwd: string, ...parameters: readonly string[]): string {
  try {
    return execFileSync("git", parameters, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string };
    throw new Error(`git ${parameters.join(" ")}: ${stderr?.trim() ?? String(error)}`, { cause: error });
  }
}

/** What is neither committed nor ignored, as git lists it. Empty: nothing. */
export function listUncommitted(cwd: string): string {
  return git(cwd, "status", "--porcelain");
}

export function hasTag(cwd: string, tag: string): boolean {
  return git(cwd, "tag", "--list", tag) === tag;
}

/** Paths of committed files that contain a text, relative to the repository. */
export function findFiles(cwd: string, text: string, paths: readonly string[]): readonly string[] {
  const parameters = ["grep", "--files-with-matches", "--fixed-strings", "-e", text, "--", ...paths];
  const { stdout } = spawnSync("git", parameters, { cwd, encoding: "utf8" });
  return stdout.split("\n").filter((path) => path !== "");
}
