import type { Verdict } from "../judge.js";

/** What `--json` prints, see `src/cli/schemas/diff.schema.json`: a verdict, and what it is about. */
export interface DiffReport extends Verdict {
  /** As messages name it: `main:openapi/v1.yaml`. */
  readonly base: string;
  readonly revision: string;
}
