import type { CheckName } from "./checks/check.js";
import type { Phase } from "./draft.js";

/** What verifying a service came to. */
export interface VerifyResult {
  readonly title: string;
  readonly version: string;
  /** Address that was verified. */
  readonly base: string;
  /** Repeats the run. */
  readonly seed: number;
  readonly requests: number;
  /** Milliseconds. */
  readonly time: number;
  readonly failures: readonly Failure[];
  readonly operations: readonly OperationResult[];
  /** What was not tried, and why. */
  readonly notes: readonly string[];
}

/** One way in which the service and the contract part. */
export interface Failure {
  readonly check: CheckName;
  readonly message: string;
  readonly phase: Phase;
  /** Ids of the operations that have it; the requests are the first one's. */
  readonly operations: readonly string[];
  /** `GET /pets/{petId}` */
  readonly label: string;
  /** The requests that show it, as few and as small as it goes: lines for a shell. */
  readonly curl: readonly string[];
  /** Of the last request; absent when there was none. */
  readonly answer?: ShownAnswer;
}

export interface ShownAnswer {
  readonly status: number;
  readonly contentType?: string;
  /** Its start. */
  readonly body: string;
}

export interface OperationResult {
  readonly id: string;
  readonly label: string;
  /** Status to how many answers had it. */
  readonly statuses: Readonly<Record<string, number>>;
}
