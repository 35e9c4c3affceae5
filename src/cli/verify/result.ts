import type { CheckName } from "./checks/index.js";
import type { Phase } from "./messages/index.js";

/** The result of verifying a service. */
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
  /** Ids of the operations that never succeeded. */
  readonly unreached: readonly string[];
  /** What the check `pages` did with each list. */
  readonly pages: readonly PagesResult[];
  /** Untested parts of the contract, each with the reason. */
  readonly notes: readonly string[];
}

/** A mismatch between the service and the contract. */
export interface Failure {
  readonly check: CheckName;
  readonly message: string;
  readonly phase: Phase;
  /** Ids of the operations that have it. The requests are those of the first. */
  readonly operations: readonly string[];
  /** The parts of requests or responses that have it: `createPet body/name`. */
  readonly places: readonly string[];
  /** Number of responses that have it. */
  readonly count: number;
  /** `GET /pets/{petId}` */
  readonly label: string;
  /** Lines for a shell that reproduce it: as few and as small requests as possible. */
  readonly curl: readonly string[];
  /** The response to the last request; absent when there was none. */
  readonly answer?: {
    readonly status: number;
    readonly contentType?: string;
    /** The start of the body. */
    readonly body: string;
  };
}

/** The number of pages of a list that were compared with what was created, or the reason why none was. */
export interface PagesResult {
  /** Id of the operation. */
  readonly id: string;
  readonly pages?: number;
  readonly reason?: string;
}

export interface OperationResult {
  readonly id: string;
  readonly label: string;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
}
