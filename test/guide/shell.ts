import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { guardGroup } from "../support/process-group.js";
import { GIVE_UP_MS } from "../support/until.js";

export interface Ran {
  readonly code: number | null;
  /** Standard output and standard error, in their order. */
  readonly printed: string;
}

/** A command that goes on while others run. */
export interface Background {
  /** What it printed so far and nobody took. */
  unseen: string;
  /** Whether it is over. */
  isOver(): boolean;
  /** Does something while it stands still, so that it sees all of it at once. */
  hold(act: () => void): void;
  /** As Ctrl-C does, then waits until it is over. */
  stop(): Promise<void>;
}

/** Runs commands one after the other as a shell that somebody types into: the folder and settings last. */
export class Shell {
  readonly #state: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder: string;

  /** @param folder Where it starts; the file with its state lies beside. */
  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = { ...process.env, ...env };
    this.#state = join(folder, "../state");
  }

  async run(command: string): Promise<Ran> {
    const { child, read } = this.#spawn(
      `${command}\n_code=$?; { export -p; printf 'cd %q\\n' "$PWD"; } > "$_STATE"; exit $_code`,
    );
    const timer = globalThis.setTimeout(() => {
      kill(child, "SIGKILL");
    }, GIVE_UP_MS);
    const [code] = (await once(child, "close")) as [number | null];
    clearTimeout(timer);
    return { code, printed: read() };
  }

  start(command: string): Background {
    let unseen = "";
    const { child } = this.#spawn(command, (chunk) => (unseen += chunk));
    const closed = once(child, "close");
    return {
      get unseen() {
        return unseen;
      },
      set unseen(text) {
        unseen = text;
      },
      isOver: () => child.exitCode !== null || child.signalCode !== null,
      hold(act) {
        kill(child, "SIGSTOP");
        act();
        kill(child, "SIGCONT");
      },
      async stop() {
        kill(child, "SIGINT");
        const last = globalThis.setTimeout(() => {
          kill(child, "SIGKILL");
        }, GIVE_UP_MS);
        await closed;
        clearTimeout(last);
      },
    };
  }

  #spawn(script: string, onOutput: (chunk: string) => void = () => undefined) {
    const restore = existsSync(this.#state) ? `source "$_STATE"\n` : "";
    const child = spawn("bash", ["-c", `exec 2>&1\n${restore}${script}`], {
      cwd: this.#folder,
      env: { ...this.#env, _STATE: this.#state },
      stdio: ["ignore", "pipe", "ignore"],
      // A group of its own, so that what a command starts ends with it.
      detached: true,
    });
    guardGroup(child);
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
      onOutput(chunk.toString("utf8"));
    });
    return { child, read: () => printed };
  }
}

/** To the whole group, as a terminal sends it. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It is over.
  }
}

/** Waits until something is there; undefined when it does not come, or what it is waited for ends. */
export async function waitFor<T>(look: () => T | undefined, isOver: () => boolean): Promise<T | undefined> {
  const end = Date.now() + GIVE_UP_MS;
  for (;;) {
    const found = look();
    if (found !== undefined || isOver() || Date.now() > end) return found;
    await setTimeout(20);
  }
}
