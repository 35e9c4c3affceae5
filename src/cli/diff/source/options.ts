/** What is printed. */
export const DIFF_FORMATS = ["text", "json", "markdown", "github", "junit", "html"] as const;
/** From which level on a change fails the command. */
export const DIFF_LEVELS = ["breaking", "risky", "none"] as const;

export type DiffLevel = (typeof DIFF_LEVELS)[number];

export interface DiffOptions {
  /** A file, a URL, a revision, or a file of a revision. */
  readonly base: string;
  /** Default: the contract of redocly.yaml as it is now. */
  readonly revision?: string;
  /** Name of the API of redocly.yaml. Default: the only one. */
  readonly api?: string;
  /** Default: text. */
  readonly format?: (typeof DIFF_FORMATS)[number];
  /** Least level that is exit code 1. Default: breaking. */
  readonly failOn?: DiffLevel;
  /** A version that does not tell of the changes is exit code 1. Default: false. */
  readonly checkVersion?: boolean;
  /**
   * Whether the compiler is asked what the changes mean to code. Default: where the revision is the contract of an API of
   * redocly.yaml, and there is a tsconfig.json.
   */
  readonly impact?: boolean;
}
