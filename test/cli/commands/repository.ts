import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createProject } from "../load/project.js";

export interface Repository {
  readonly folder: string;
  readonly git: (...argv: string[]) => string;
  /** Writes files and commits all there is, at noon of a day. */
  readonly commit: (files: Readonly<Record<string, string>>, day?: string) => void;
}

/** Creates a repository in a temporary folder, with `redocly.yaml` and nothing committed. */
export function createRepository(files: Readonly<Record<string, string>> = {}): Repository {
  const folder = createProject(files);
  const run = (argv: readonly string[], day = "2026-01-01") => {
    const date = `${day}T12:00:00Z`;
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const identity = ["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "commit.gpgSign=false"];
    return execFileSync("git", [...identity, ...argv], {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  };
  run(["init", "-q", "-b", "main"]);
  return {
    folder,
    git: (...argv) => run(argv),
    commit(changed, day) {
      for (const [name, text] of Object.entries(changed)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      run(["add", "-A"]);
      run(["commit", "-q", "--allow-empty", "-m", "change"], day);
    },
  };
}
