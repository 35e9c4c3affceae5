/** One thing wrong with a contract, and where. Data, so that the command, the editor and a test read the same. */
export interface Problem extends SourcePosition {
  /** A key of Tenon's own table (`src/tenon/core/document/contract-error.ts`), or the id of the lint rule that found it. Stable. */
  readonly code: string;
  readonly severity: "error" | "warning";
  /** One sentence: what was wanted and what was found. */
  readonly message: string;
  /** What to do about it, when that is known. */
  readonly hint?: string;
}

export interface SourcePosition {
  /** Absolute path or URL of the file as the author wrote it, before bundling. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** JSON pointer within `file`, as a URI fragment: `#/paths/~1pets/get`. */
  readonly pointer: string;
}
