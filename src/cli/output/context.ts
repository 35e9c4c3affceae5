import { toVisibleLines } from "./visible.js";

/** The environment of a command. */
export interface CommandContext {
  /** Absolute path of the folder that redocly.yaml is in. */
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** How the user calls Tenon, for help and hints: `tenon`, or `npm run tenon --`. */
  readonly program: string;
  /**
   * The clock that sunset dates are compared with, in milliseconds since 1970. Default: `Date.now`. Lint rules have an
   * option of their own, `today`.
   */
  readonly now?: () => number;
}

export interface Output {
  write(text: string): unknown;
  /** True for a terminal, which can show progress. */
  readonly isTTY?: boolean;
  /** Width of a terminal, in characters. */
  readonly columns?: number;
  /** Tests whether the terminal supports colours and the user wants them. */
  hasColors?(): boolean;
}

/** 0: fine. 1: the contract has errors, or with `--check` files differ. 2: bad usage. */
export type ExitCode = 0 | 1 | 2;

/** The command was called incorrectly; the message says what is expected. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Prints the only document of a command with `--json`. */
export function printJson(value: unknown, { stdout }: CommandContext): void {
  // JSON may have U+009B or U+202E as they are, and a terminal would obey them.
  stdout.write(`${toVisibleLines(JSON.stringify(value, null, 2))}\n`);
}
