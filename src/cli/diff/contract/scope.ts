import type { Stability } from "tenon/core/document";
import type { Sides } from "../sides.js";
import type { Finding, Level } from "../change.js";
import type { ContractCode } from "../codes/index.js";
import type { SchemaGraph } from "../schema/index.js";
import type { Contract, Placed } from "tenon/core/model";
import type { Side } from "tenon/core/schema";

/** Two contracts under comparison, and the callback that gets each finding. */
export interface Comparison {
  readonly contracts: Sides<Contract>;
  readonly schemas: Readonly<Record<Side, SchemaGraph>>;
  /** Milliseconds since 1970. Removals before and after a sunset have different codes. */
  readonly now: number;
  /** The lowest `x-stability-level` whose changes can be breaking. */
  readonly stabilityLevel: Stability;
  readonly report: (finding: Finding) => void;
}

/** A comparison within one operation, whose name is part of every finding. */
export interface Scope extends Comparison {
  readonly operation?: string;
}

export interface ChangeDetails {
  readonly message: string;
  readonly at: Partial<Sides<Placed | undefined>>;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Default: the level of the code. */
  readonly level?: Level;
  readonly because?: string;
}

/** Reports a change outside of schemas, at its place in the revision if it has one there. */
export function reportChange(
  code: ContractCode,
  { message, at, before, after, level, because }: ChangeDetails,
  scope: Scope,
): void {
  const side = at.revision === undefined ? "base" : "revision";
  const pointer = (at.revision ?? at.base)?.pointer ?? "#";
  scope.report({
    code,
    message,
    at: { side, pointer },
    ...(scope.operation !== undefined && { operation: scope.operation }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(level !== undefined && { level }),
    ...(because !== undefined && { because }),
  });
}
