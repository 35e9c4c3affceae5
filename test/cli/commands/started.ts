import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

/** How long anything that a command is waited for may take, in milliseconds. */
const LIMIT = 30_000;

/** A command that runs on its own, and what it printed. */
export class Started {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #printed = "";
  #seen = 0;

  constructor(command: string, argv: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
    // One pipe for both outputs: of two, what was printed last can arrive first.
    this.#child = spawn("/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', command, ...argv], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#ended = once(this.#child, "close");
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#printed += text));
  }

  /** Waits until something is printed, from where the last call found its own on. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const end = Date.now() + LIMIT;
    for (;;) {
      const found = pattern.exec(this.#printed.slice(this.#seen));
      if (found !== null) {
        this.#seen += found.index + found[0].length;
        return found;
      }
      if (Date.now() > end || this.#child.exitCode !== null)
        throw new Error(`${String(pattern)} was not printed:\n${this.#printed.slice(this.#seen)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Sends a signal and resolves to the exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended();
  }

  /** Resolves to the exit code once it has ended. */
  async ended(): Promise<number | null> {
    const [code] = await this.#ended;
    return code as number | null;
  }
}
