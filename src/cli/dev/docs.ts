import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { extname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A source when this file is one. */
const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));

/** Builds the docs of the project's contracts in a process of its own, while the service is running. */
export class DocsBuilder {
  #child: ChildProcess | undefined;

  constructor(readonly cwd: string) {}

  /** Starts a build and stops an unfinished one. */
  build(): void {
    this.close();
    const env = { ...process.env, TENON_DEV: "1" };
    const stdio: StdioOptions = ["ignore", "ignore", "inherit", "ipc"];
    this.#child = fork(MAIN, ["docs"], { cwd: this.cwd, env, stdio });
  }

  close(): void {
    this.#child?.kill("SIGKILL");
  }
}
