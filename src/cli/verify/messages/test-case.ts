import type { Operation } from "tenon/core/model";
import type { RequestShape, RequestValue } from "./shape.js";

/** The expected treatment of a request. */
export type Expectation =
  /** Everything in it is valid. */
  | "accepted"
  /** One thing in it is invalid. */
  | "refused"
  /** The contract does not say. */
  | "open";

export const PHASES = ["examples", "boundaries", "access", "valid", "invalid", "sequences"] as const;

export type Phase = (typeof PHASES)[number];

/** Keys that lead to a part of a request's value: `["body", "tags", 0]`. */
export type Path = readonly (string | number)[];

/** A request before it is written. */
export interface RequestParts {
  readonly operation: Operation;
  readonly shape: RequestShape;
  readonly value: RequestValue;
  /** Sent in place of `value.body`. */
  readonly raw?: RawBody;
}

/** A request to send, and what to expect of the service. */
export interface TestCase extends RequestParts {
  readonly expectation: Expectation;
  readonly phase: Phase;
  /** The constraint that the request violates, or whose limit it has. */
  readonly constraint?: Constraint;
}

export interface Constraint {
  readonly path: Path;
  /** `maximum`, `required name`, `malformed JSON` */
  readonly keyword: string;
}

export interface RawBody {
  readonly contentType: string;
  readonly text: string;
}

/** `maximum at query/limit` */
export function describeConstraint({ path, keyword }: Constraint): string {
  return path.length === 0 ? keyword : `${keyword} at ${path.join("/")}`;
}
