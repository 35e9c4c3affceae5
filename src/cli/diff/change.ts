import type { ChangeImpact } from "../impact/index.js";
import type { Counterexample } from "./counterexample/search.js";

/** Severity of a change for clients of the old contract. */
export type Level = "breaking" | "risky" | "safe";

export const LEVELS: readonly Level[] = ["breaking", "risky", "safe"];

/** Tests whether a change of a level fails the command. */
export function fails(level: Level, failOn: Level | "none"): boolean {
  return failOn !== "none" && LEVELS.indexOf(level) <= LEVELS.indexOf(failOn);
}

/** One difference between two contracts, the same data for every output. */
export interface Change {
  /** A key of `CODES`. Stable. */
  readonly code: string;
  readonly level: Level;
  /** `GET /pets`, as named in the revision, or in the base for a removed operation. Undefined: the whole contract. */
  readonly operation?: string | undefined;
  /** JSON pointer in `file`: in the revision, or in the base for a removal. */
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The nearest part that the revision still has. Undefined unless `file` is of the base. */
  readonly removedFrom?: { readonly file: string; readonly line: number };
  /** Describes the change, without a full stop. */
  readonly message: string;
  /** Explains the consequence for clients in a sentence. */
  readonly why: string;
  readonly counterexample?: Counterexample;
  /** The reason that redocly.yaml gives for ignoring it. */
  readonly ignored?: string;
  /** Consequences for code. Undefined: the compiler was not asked. */
  readonly impact?: ChangeImpact;
}

/** A change before its place in a file is looked up. */
export interface Finding extends Pick<
  Change,
  "code" | "operation" | "before" | "after" | "message" | "counterexample"
> {
  /** The reason why its level differs from the level of its code. */
  readonly because?: string;
  readonly level?: Level;
  /** Finds a value that shows it, if it is breaking. */
  readonly illustrate?: Illustrate;
  /** Pointer in the bundled document of one side. */
  readonly at: { readonly side: "base" | "revision"; readonly pointer: string };
}

/**
 * Finds a value that shows a change.
 * @param reason Comes before the explanation of the value. Default: that of the code, if it has one of its own.
 * @returns undefined if no value is found.
 */
export type Illustrate = (
  reason?: string,
) => Promise<Pick<Finding, "because" | "counterexample"> | undefined>;
