import type { Verdict } from "../../diff/judge.js";

/** What `--json` prints, see `src/tenon/schemas/diff.schema.json`: a verdict, and what it is about. */
export interface DiffReport extends Verdict {
  /** As messages name it: `main:openapi/v1.yaml`. */
  readonly base: string;
  readonly revision: string;
}
