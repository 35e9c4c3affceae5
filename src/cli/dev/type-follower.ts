import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { TypeProblem } from "./type-check.js";
import type { TypeCheckResult, TypeCheckSettings } from "./type-check-child.js";

/** A source when this file is one. */
const CHILD = fileURLToPath(new URL(`./type-check-child${extname(import.meta.url)}`, import.meta.url));

/** Checks types in another process, so that the next save is followed at once. */
export class TypeFollower {
  readonly #settings: TypeCheckSettings;
  #child: ChildProcess | undefined;
  #number = 0;
  #settle: (problems: readonly TypeProblem[] | undefined) => void = () => undefined;
  #files: ReadonlySet<string> | undefined;

  constructor(settings: TypeCheckSettings) {
    this.#settings = settings;
  }

  /** @returns undefined if the check was cancelled, or another one has replaced it. */
  async check(): Promise<readonly TypeProblem[] | undefined> {
    this.cancel();
    const child = (this.#child ??= this.#start());
    const number = this.#number;
    return new Promise((resolve) => {
      this.#settle = resolve;
      child.send(number, () => undefined);
    });
  }

  /** Ignores the result of the check in progress, which is outdated. */
  cancel(): void {
    this.#number += 1;
    this.#settle(undefined);
  }

  /** Tests whether a file is part of the program. Until the first result, any source may be. */
  includes(path: string): boolean {
    return this.#files?.has(path) ?? /\.[cm]?tsx?$/.test(path);
  }

  close(): void {
    this.cancel();
    this.#child?.kill("SIGKILL");
  }

  #start(): ChildProcess {
    const child = fork(CHILD, [JSON.stringify(this.#settings)], { serialization: "advanced" });
    child.on("message", (message) => {
      const { number, problems, files } = message as TypeCheckResult;
      this.#files = new Set(files);
      if (number === this.#number) this.#settle(problems);
    });
    child.once("exit", () => {
      this.#child = undefined;
      this.#settle(undefined);
    });
    return child;
  }
}
