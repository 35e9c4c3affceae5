import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { extname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A source when this file is one. */
const CHILD = fileURLToPath(new URL(`../commands/docs-child${extname(import.meta.url)}`, import.meta.url));

/** Builds the docs of the project's contracts in a process of its own, while the service is running. */
export class DocsBuilder {
  #child: ChildProcess | undefined;
  #isBusy = false;

  constructor(readonly cwd: string) {}

  /** Starts a build and stops an unfinished one. */
  build(): void {
    if (this.#isBusy) this.close();
    this.#child ??= this.#start();
    this.#isBusy = true;
    // The process may end before it gets the message, and its end is an event of its own.
    this.#child.send("build", () => undefined);
  }

  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const env = { ...process.env, TENON_DEV: "1" };
    const stdio: StdioOptions = ["ignore", "ignore", "inherit", "ipc"];
    const child = fork(CHILD, { cwd: this.cwd, env, stdio });
    const isCurrent = () => this.#child === child;
    child.on("message", () => {
      if (isCurrent()) this.#isBusy = false;
    });
    child.once("exit", () => {
      if (isCurrent()) this.#child = undefined;
    });
    return child;
  }
}
