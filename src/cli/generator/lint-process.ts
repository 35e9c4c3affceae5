import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Problem } from "tenon/core/document";
import { throwOnErrors } from "../load/index.js";
import type { LintRequest, LintResult } from "./lint-child.js";

/** The module of the process. It has the extension of this file, so that TypeScript sources run sources. */
const CHILD = fileURLToPath(new URL(`./lint-child${extname(import.meta.url)}`, import.meta.url));

/**
 * Lints contracts in a separate process, so that another CPU core generates at the same time. The process starts with the first
 * contract and is reused for later ones. It restarts if a rule ends it.
 */
export class LintProcess {
  #child: ChildProcess | undefined;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Lints one contract, after the earlier requests.
   * @returns Warnings.
   * @throws {ContractError} with every problem when one of them is an error.
   */
  async lint(request: LintRequest): Promise<readonly Problem[]> {
    const asked = this.#last.then(() => this.#ask(request));
    this.#last = asked.catch(() => undefined);
    const result = await asked;
    if ("failure" in result) throw result.failure;
    throwOnErrors(result.problems);
    return result.problems;
  }

  /** Stops the process and rejects pending requests. */
  close(): void {
    this.#isClosed = true;
    this.#child?.kill();
  }

  async #ask(request: LintRequest): Promise<LintResult> {
    // A request that has waited for an earlier one would start another process.
    if (this.#isClosed) throw new Error("The lint process is closed");
    if (this.#child?.connected !== true) this.#child = fork(CHILD, { serialization: "advanced" });
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const exit = (code: number | null, signal: string | null) => {
        this.#child = undefined;
        reject(new Error(`The lint process ended (${signal ?? code}); a rule must not end it`));
      };
      child.once("exit", exit);
      child.once("message", (result) => {
        child.off("exit", exit);
        resolve(result as LintResult);
      });
      child.send(request);
    });
  }
}
