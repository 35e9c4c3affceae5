import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { guardGroup } from "../../support/process-group.js";
import { GIVE_UP_MS } from "../../support/until.js";

/** A command that runs on its own, and what it printed. `endProcesses` ends it with all that it started. */
export class Started {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #isOver = false;
  #printed = "";
  #seen = 0;

  constructor(
    command: string,
    argv: readonly string[],
    options: { cwd: string; env?: NodeJS.ProcessEnv; uid?: number | undefined },
  ) {
    // One pipe for both outputs: of two, what was printed last can arrive first.
    this.#child = spawn("/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', command, ...argv], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      ...(options.uid !== undefined && { uid: options.uid }),
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    guardGroup(this.#child);
    this.#ended = once(this.#child, "close");
    // Not its exit: what it printed last can be read later than that.
    this.#child.on("close", () => (this.#isOver = true));
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#printed += text));
  }

  /** Waits until something is printed, from where the last call found its own on. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const end = performance.now() + GIVE_UP_MS;
    for (;;) {
      const found = pattern.exec(this.#printed.slice(this.#seen));
      if (found !== null) {
        this.#seen += found.index + found[0].length;
        return found;
      }
      if (performance.now() > end || this.#isOver)
        // Jest shortens what looks like a stack trace.
        throw new Error(`${String(pattern)} was not printed:\n${this.#printed.replace(/^/gm, "> ")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Does something while it stands still, so that it sees all of it at once. */
  hold(act: () => void): void {
    this.#child.kill("SIGSTOP");
    act();
    this.#child.kill("SIGCONT");
  }

  /** Ends it as Ctrl-C in a terminal does: the signal reaches everything that it started. Resolves to the exit code. */
  async interrupt(): Promise<number | null> {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGINT");
    return this.ended();
  }

  /** Sends a signal and resolves to the exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended();
  }

  /** Resolves to the exit code once it has ended, and so has everything that it started: all of them print to one pipe. */
  async ended(): Promise<number | null> {
    const [code] = await this.#ended;
    return code as number | null;
  }
}
