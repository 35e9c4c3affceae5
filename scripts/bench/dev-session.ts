import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

/** How long anything may take, in milliseconds. */
const LIMIT = 120_000;

/** What `tenon dev` says of a save, in milliseconds. */
export interface Save {
  /** From the save to the last line. */
  readonly whole: number;
  /** Reading, linting, generating; 0 when no contract was saved. */
  readonly contract: number;
  readonly types: number;
  readonly service: number;
}

/** A `tenon dev` that runs in a project. */
export class DevSession {
  readonly #child: ChildProcess;
  #printed = "";

  constructor(tenon: string, cwd: string) {
    this.#child = spawn(process.execPath, [tenon, "dev"], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    this.#child.stdout?.on("data", (chunk: Buffer) => (this.#printed += chunk.toString("utf8")));
  }

  /** Saves something, unless it starts, and waits until the service of it answers. */
  async follow(save: () => void = () => undefined): Promise<Save> {
    this.#printed = "";
    const start = performance.now();
    save();
    // The verdict on the types is the last line of a save.
    while (!/^tenon: .* type errors?\b.*\n/m.test(this.#printed)) {
      if (this.#child.exitCode !== null || performance.now() - start > LIMIT)
        throw new Error(`tenon dev has not followed:\n${this.#printed}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const whole = performance.now() - start;
    if (!/^tenon: (?:re)?started in/m.test(this.#printed)) throw new Error(this.#printed);
    const find = (pattern: RegExp) => Number(pattern.exec(this.#printed)?.[1] ?? 0);
    return {
      whole,
      contract: find(/\bcontract (\d+)/),
      types: find(/type errors? \((\d+) ms\)/),
      service: find(/\bservice (\d+)/),
    };
  }

  /** Memory that each process of the session has now, in megabytes. */
  memory(): {
    readonly dev: number;
    readonly lint: number;
    readonly service: number;
    readonly spare: number;
  } {
    const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,args="], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
      .map(([, pid, parent, rss, args = ""]) => ({
        pid: Number(pid),
        parent: Number(parent),
        rss: Number(rss) / 1024,
        args,
      }));
    const { pid } = this.#child;
    const children = processes.filter(({ parent }) => parent === pid).sort((a, b) => a.pid - b.pid);
    const [service, spare] = children.filter(({ args }) => args.includes("service-child"));
    return {
      dev: processes.find((found) => found.pid === pid)?.rss ?? 0,
      // A second process runs the rules that only warn.
      lint: children.filter(({ args }) => args.includes("lint-child")).reduce((sum, { rss }) => sum + rss, 0),
      service: service?.rss ?? 0,
      spare: spare?.rss ?? 0,
    };
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGINT");
    await once(this.#child, "exit");
  }
}
