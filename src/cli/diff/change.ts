import type { ChangeImpact } from "./impact.js";

/** How much a change matters to those who call the API as it was described. */
export type Level = "breaking" | "risky" | "safe";

export const LEVELS: readonly Level[] = ["breaking", "risky", "safe"];

/** One thing that is different between two contracts. Data, so that every output and a test read the same. */
export interface Change {
  /** A key of `CODES`. Stable. */
  readonly code: string;
  readonly level: Level;
  /** `GET /pets`, as the revision writes it, or the base where the operation is gone. Undefined: the whole contract. */
  readonly operation?: string;
  /** Where within `file`: the revision's, or the base's when the revision has no such thing. */
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** One sentence: what is different. */
  readonly message: string;
  /** What that means to who calls the API. */
  readonly why: string;
  /** Reason of redocly.yaml for not minding it. */
  readonly ignored?: string;
  /** What it means to code, where the compiler was asked. */
  readonly impact?: ChangeImpact;
}

/** A change whose place is not yet found in its file. */
export interface Finding {
  readonly code: string;
  readonly operation?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly message: string;
  /** Why it counts for more or for less than its code says. */
  readonly because?: string;
  readonly level?: Level;
  /** Pointer in the bundled document of one side. */
  readonly at: { readonly side: "base" | "revision"; readonly pointer: string };
}
