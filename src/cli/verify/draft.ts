import type { Path } from "./generate/sites.js";
import type { RequestShape, RequestValue, TargetOperation } from "./target.js";

/** What the contract lets a request expect. */
export type Expectation =
  /** It is valid in all that the contract says. */
  | "accepted"
  /** One thing of it is wrong. */
  | "refused"
  /** The contract does not say. */
  | "open";

export const PHASES = ["examples", "boundaries", "access", "valid", "invalid", "sequences"] as const;

export type Phase = (typeof PHASES)[number];

/** A request to be sent. */
export interface Draft {
  readonly operation: TargetOperation;
  readonly shape: RequestShape;
  readonly value: RequestValue;
  readonly expectation: Expectation;
  readonly phase: Phase;
  readonly wrong?: Wrong;
  /** What is sent in place of `value.body`. */
  readonly raw?: RawBody;
}

/** What is wrong with a request, or at a limit. */
export interface Wrong {
  readonly path: Path;
  /** `maximum`, `required name`, `malformed JSON` */
  readonly keyword: string;
}

export interface RawBody {
  readonly contentType: string;
  readonly text: string;
}

/** `maximum at query/limit` */
export function describeWrong({ path, keyword }: Wrong): string {
  return path.length === 0 ? keyword : `${keyword} at ${path.join("/")}`;
}
