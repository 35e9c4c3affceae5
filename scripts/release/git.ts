import { execFileSync } from "node:child_process";

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
