/** What a command sees of its surroundings. */
export interface CommandContext {
  /** Absolute path of the folder that redocly.yaml is in. */
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** How the user calls Tenon, for help and hints: `tenon`, or `npm run tenon --`. */
  readonly program: string;
  /**
   * The clock that comparisons and docs take sunsets by, in milliseconds since 1970. Default: `Date.now`. Lint rules have an
   * option of their own, `today`.
   */
  readonly now?: () => number;
}

export interface Output {
  write(text: string): unknown;
  /** Whether somebody watches, to whom a line that changes is of use. */
  readonly isTTY?: boolean;
  /** Of a terminal, in characters. */
  readonly columns?: number;
  /** Whether whoever watches sees colours and wants them. */
  hasColors?(): boolean;
}

/** 0: fine. 1: the contract has errors, or with `--check` files differ. 2: bad usage. */
export type ExitCode = 0 | 1 | 2;

/** The command cannot do what it was asked for; the message says what was wanted. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Prints the one document that a machine asked for with `--json`. */
export function printJson(value: unknown, { stdout }: CommandContext): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
