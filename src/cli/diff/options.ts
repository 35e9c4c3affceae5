import { type Level, LEVELS } from "./change.js";

/** Output formats. */
export const DIFF_FORMATS = ["text", "json", "markdown", "github", "junit", "html"] as const;
/** Values of `--fail-on`. */
export const DIFF_LEVELS = ["breaking", "risky", "none"] as const;

export type DiffLevel = (typeof DIFF_LEVELS)[number];

export interface DiffOptions {
  /** A file, a URL, a revision, or a file of a revision. */
  readonly base: string;
  /** Default: the contract of redocly.yaml in the working tree. */
  readonly revision?: string;
  /** Name of the API of redocly.yaml. Default: the only one. */
  readonly api?: string;
  /** Default: text. */
  readonly format?: (typeof DIFF_FORMATS)[number];
  /** Lowest level that sets exit code 1. Default: breaking. */
  readonly failOn?: DiffLevel;
  /** Exit code 1 when info.version is too low for the changes. Default: false. */
  readonly checkVersion?: boolean;
  /**
   * Ask the compiler what the changes mean for code. Default: when the revision is the contract of an API of redocly.yaml,
   * and there is a tsconfig.json.
   */
  readonly impact?: boolean;
}

/** Tests whether a change of a level fails the command. */
export function fails(level: Level, failOn: DiffLevel): boolean {
  return failOn !== "none" && LEVELS.indexOf(level) <= LEVELS.indexOf(failOn);
}
