import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../project/generator.js";
import type { ImpactRequest } from "./impact-child.js";

/** With this file's own extension: Tenon's sources run from sources. */
const CHILD = fileURLToPath(new URL(`./impact-child${extname(import.meta.url)}`, import.meta.url));

export interface ImpactOptions {
  /** Absolute path of the tsconfig.json. */
  readonly configFile: string;
  readonly cwd: string;
  /** Gets lines, some time after a save. */
  readonly tell: (lines: readonly string[]) => void;
}

/** Tells what saves of contracts mean to code, compared with the last that the service ran with. */
export interface ImpactFollower {
  /** Called when a save comes: what is under way is of no use any more. */
  cancel(): void;
  /**
   * Called when a save has been dealt with. Returns at once; another process asks the compiler.
   * @param plans What was generated last.
   * @param isServed Whether the running service is of it.
   */
  follow(plans: readonly Plan[], isServed: boolean): void;
}

export function createImpactFollower({ configFile, cwd, tell }: ImpactOptions): ImpactFollower {
  let good: readonly Plan[] | undefined;
  let last: readonly Plan[] = [];
  /** What the question under way compares with. */
  let asking: readonly Plan[] | undefined;
  const children = new Set<ChildProcess>();

  /** Whether it was under way: one that was cancelled is none of these any more, and is asked again. */
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
        if (settle(child)) tell(lines as readonly string[]);
      });
      child.once("exit", () => settle(child));
      // It may end before it has heard the question; its end is an event of its own.
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
      // Much of it is the same, and all of it has to go from one process to the other.
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
