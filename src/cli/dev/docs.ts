import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { extname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A source when this file is one. */
const CHILD = fileURLToPath(new URL(`../commands/docs-child${extname(import.meta.url)}`, import.meta.url));

/**
 * Builds the docs of the project's contracts in a process of its own, while the service is running. The process stays for the next build,
 * which then renders only what has changed.
 */
export class DocsBuilder {
  #child: ChildProcess | undefined;
  #isBusy = false;
  /** There was a save since the build began. */
  #isStale = false;

  constructor(readonly cwd: string) {}

  /** Starts a build, after the one that is under way. */
  build(): void {
    this.#isStale = this.#isBusy;
    if (this.#isBusy) return;
    this.#child ??= this.#start();
    this.#isBusy = true;
    // The process may end before it gets the message, and its end is an event of its own.
    this.#child.send("build", () => undefined);
  }

  close(): void {
    const child = this.#child;
    this.#child = undefined;
    this.#isBusy = false;
    child?.kill("SIGKILL");
  }

  #start(): ChildProcess {
    const env = { ...process.env, TENON_DEV: "1" };
    const stdio: StdioOptions = ["ignore", "ignore", "inherit", "ipc"];
    const child = fork(CHILD, { cwd: this.cwd, env, stdio });
    const end = (next: ChildProcess | undefined) => {
      if (this.#child !== child) return;
      this.#child = next;
      this.#isBusy = false;
      if (this.#isStale) this.build();
    };
    child.on("message", () => {
      end(child);
    });
    child.once("exit", () => {
      end(undefined);
    });
    return child;
  }
}
