import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Problem } from "tenon/core/document/problem";
import { ContractError } from "tenon/core/document/contract-error";
import type { LintAnswer, LintRequest } from "./lint-child.js";

/** With this file's own extension: Tenon's sources run from sources. */
const CHILD = fileURLToPath(new URL(`./lint-child${extname(import.meta.url)}`, import.meta.url));

/** Lints contracts in a process of its own, so that the other core generates meanwhile. It stays warm between contracts. */
export interface LintProcess {
  /**
   * Lints one contract, after those that were asked for before.
   * @returns Warnings.
   * @throws {ContractError} with every problem when one of them is an error.
   */
  lint(request: LintRequest): Promise<readonly Problem[]>;
  /** Ends it. What it is at work on is rejected. */
  close(): void;
}

/** The process starts with the first contract, and anew when a rule has ended it. */
export function createLintProcess(): LintProcess {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function ask(request: LintRequest): Promise<LintAnswer> {
    const asked = (child ??= fork(CHILD, { serialization: "advanced" }));
    return new Promise((resolve, reject) => {
      const exit = (code: number | null, signal: string | null) => {
        child = undefined;
        reject(new Error(`The process that lints has ended (${signal ?? code}); a rule must not end it`));
      };
      asked.once("exit", exit);
      asked.once("message", (answer) => {
        asked.off("exit", exit);
        resolve(answer as LintAnswer);
      });
      asked.send(request);
    });
  }

  return {
    async lint(request) {
      const asked = last.then(() => ask(request));
      last = asked.catch(() => undefined);
      const answer = await asked;
      if ("failure" in answer) throw answer.failure;
      const { problems } = answer;
      if (problems.some(({ severity }) => severity === "error")) throw new ContractError(problems);
      return problems;
    },
    close() {
      child?.kill();
    },
  };
}
