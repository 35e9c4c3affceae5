/** A problem of a contract, with its location. Plain data for the command, editors and tests. */
export interface Problem extends SourcePosition {
  /** A key of Tenon's own table (`src/tenon/core/document/contract-error.ts`), or the id of the lint rule that found it. Stable. */
  readonly code: string;
  readonly severity: "error" | "warning";
  /** One sentence: what is wrong, what was expected and what was found. */
  readonly message: string;
  /** The next step, if known. */
  readonly hint?: string;
}

export interface SourcePosition {
  /** Absolute path or URL of the file as the author wrote it, before bundling. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** JSON pointer within `file`, as a URI fragment: `#/paths/~1pets/get`. */
  readonly pointer: string;
}
