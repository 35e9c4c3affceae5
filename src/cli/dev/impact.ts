import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../generator/index.js";
import type { ImpactRequest } from "./impact-child.js";

/** A source when this file is one. */
const CHILD = fileURLToPath(new URL(`./impact-child${extname(import.meta.url)}`, import.meta.url));

export interface ImpactOptions {
  /** Absolute path of the tsconfig.json. */
  readonly configFile: string;
  readonly cwd: string;
  /** Prints lines, some time after a save. */
  readonly print: (lines: readonly string[]) => void;
}

/** Reports the code that saves of contracts affect, compared with the contracts of the last good service. */
export interface ImpactFollower {
  /** Called when files are saved: a comparison in progress is outdated. */
  cancel(): void;
  /**
   * Called after a save was handled. Returns at once; another process asks the compiler.
   * @param plans The last generated files.
   * @param isServed Whether the running service uses them.
   */
  follow(plans: readonly Plan[], isServed: boolean): void;
}

export function createImpactFollower({ configFile, cwd, print }: ImpactOptions): ImpactFollower {
  let good: readonly Plan[] | undefined;
  let last: readonly Plan[] = [];
  /** The base of the comparison in progress. */
  let asking: readonly Plan[] | undefined;
  const children = new Set<ChildProcess>();

  /** Returns whether the process was in progress: a cancelled one is not, and is started again. */
  function settle(child: ChildProcess): boolean {
    const isCurrent = children.delete(child);
    if (isCurrent && children.size === 0) asking = undefined;
    return isCurrent;
  }

  function ask(base: readonly Plan[], revision: readonly Plan[]): void {
    const requests = revision.flatMap((plan) => toRequest(plan, base) ?? []);
    asking = requests.length === 0 ? undefined : base;
    for (const request of requests) {
      const child = fork(CHILD, { serialization: "advanced" });
      children.add(child);
      child.once("message", (lines) => {
        if (settle(child)) print(lines as readonly string[]);
      });
      child.once("exit", () => settle(child));
      // The process may end before it gets the message, and its end is an event of its own.
      child.send(request, () => undefined);
    }
  }

  return {
    cancel() {
      for (const child of children) child.kill("SIGKILL");
      children.clear();
    },
    follow(plans, isServed) {
      const base = asking ?? good;
      const isNew = asking !== undefined || !areSame(last, plans);
      last = plans;
      if (base !== undefined && isNew) ask(base, plans);
      if (isServed) good = plans;
    },
  };

  function toRequest({ api, files }: Plan, base: readonly Plan[]): ImpactRequest | undefined {
    const before = base.find((plan) => plan.api.name === api.name)?.files;
    if (before === undefined || before.get(CONTRACT) === files.get(CONTRACT)) return undefined;
    return {
      base: before,
      // Most files are equal, and every sent file is copied between processes.
      revision: new Map(
        [...files].map(([name, text]) => [name, text === before.get(name) ? undefined : text]),
      ),
      project: { configFile, output: api.output, cwd },
      ...(api.diff && { diff: api.diff }),
    };
  }
}

const CONTRACT = "contract.json";

function areSame(before: readonly Plan[], after: readonly Plan[]): boolean {
  const toText = (plans: readonly Plan[]) => plans.map(({ files }) => files.get(CONTRACT));
  const [old, current] = [toText(before), toText(after)];
  return old.length === current.length && old.every((text, index) => text === current[index]);
}
