import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../generator/index.js";
import type { CodeProject } from "../impact/index.js";
import type { ImpactRequest } from "./impact-child.js";

/** A source when this file is one. */
const CHILD = fileURLToPath(new URL(`./impact-child${extname(import.meta.url)}`, import.meta.url));

const CONTRACT = "contract.json";

interface ImpactOptions extends Pick<CodeProject, "configFile" | "cwd"> {
  /** Prints lines, some time after a save. */
  readonly print: (lines: readonly string[]) => void;
}

/** Reports the code that saves of contracts affect, compared with the contracts of the last good service. */
export class ImpactFollower {
  readonly #options: ImpactOptions;
  #good: readonly Plan[] | undefined;
  #last: readonly Plan[] = [];
  /** The base of the comparison in progress. */
  #asking: readonly Plan[] | undefined;
  readonly #children = new Set<ChildProcess>();

  constructor(options: ImpactOptions) {
    this.#options = options;
  }

  /** Called when files are saved: a comparison in progress is outdated. */
  cancel(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    this.#children.clear();
  }

  /**
   * Called after a save was handled. Returns at once; another process asks the compiler.
   * @param plans The last generated files.
   * @param isServed Whether the running service uses them.
   */
  follow(plans: readonly Plan[], isServed: boolean): void {
    const base = this.#asking ?? this.#good;
    const isNew = this.#asking !== undefined || toText(this.#last) !== toText(plans);
    this.#last = plans;
    if (base !== undefined && isNew) this.#ask(base, plans);
    if (isServed) this.#good = plans;
  }

  #ask(base: readonly Plan[], revision: readonly Plan[]): void {
    const requests = revision.flatMap((plan) => this.#toRequest(plan, base) ?? []);
    this.#asking = requests.length === 0 ? undefined : base;
    for (const request of requests) {
      const child = fork(CHILD, { serialization: "advanced" });
      this.#children.add(child);
      child.once("message", (lines) => {
        if (this.#settle(child)) this.#options.print(lines as readonly string[]);
      });
      child.once("exit", () => this.#settle(child));
      // The process may end before it gets the message, and its end is an event of its own.
      child.send(request, () => undefined);
    }
  }

  /** Returns whether the process was in progress: a cancelled one is not, and is started again. */
  #settle(child: ChildProcess): boolean {
    const isCurrent = this.#children.delete(child);
    if (isCurrent && this.#children.size === 0) this.#asking = undefined;
    return isCurrent;
  }

  #toRequest({ api, files }: Plan, base: readonly Plan[]): ImpactRequest | undefined {
    const { configFile, cwd } = this.#options;
    const before = base.find((plan) => plan.api.name === api.name)?.files;
    if (before === undefined || before.get(CONTRACT) === files.get(CONTRACT)) return undefined;
    // Most files are equal, and every sent file is copied between processes.
    const changed = [...files].map(
      ([name, text]) => [name, text === before.get(name) ? undefined : text] as const,
    );
    const project = { configFile, output: api.output, cwd };
    return { base: before, revision: new Map(changed), project, diff: api.diff };
  }
}

function toText(plans: readonly Plan[]): string {
  return plans.map(({ files }) => files.get(CONTRACT)).join("\0");
}
