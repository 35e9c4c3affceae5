import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ContractError, type Problem } from "tenon/core/document";
import type { LintRequest, LintResult } from "./lint-child.js";

/** The module of the process. It has the extension of this file, so that TypeScript sources run sources. */
const CHILD = fileURLToPath(new URL(`./lint-child${extname(import.meta.url)}`, import.meta.url));

/** Lints contracts in a separate process, so that another CPU core generates at the same time. The process is reused for later contracts. */
export interface LintProcess {
  /**
   * Lints one contract, after the earlier requests.
   * @returns Warnings.
   * @throws {ContractError} with every problem when one of them is an error.
   */
  lint(request: LintRequest): Promise<readonly Problem[]>;
  /** Stops the process and rejects pending requests. */
  close(): void;
}

/** Creates a lint process. It starts with the first contract, and restarts if a rule ends it. */
export function createLintProcess(): LintProcess {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function ask(request: LintRequest): Promise<LintResult> {
    const asked = (child ??= fork(CHILD, { serialization: "advanced" }));
    return new Promise((resolve, reject) => {
      const exit = (code: number | null, signal: string | null) => {
        child = undefined;
        reject(new Error(`The lint process ended (${signal ?? code}); a rule must not end it`));
      };
      asked.once("exit", exit);
      asked.once("message", (result) => {
        asked.off("exit", exit);
        resolve(result as LintResult);
      });
      asked.send(request);
    });
  }

  return {
    async lint(request) {
      const asked = last.then(() => ask(request));
      last = asked.catch(() => undefined);
      const result = await asked;
      if ("failure" in result) throw result.failure;
      const { problems } = result;
      if (problems.some(({ severity }) => severity === "error")) throw new ContractError(problems);
      return problems;
    },
    close() {
      child?.kill();
    },
  };
}
