import type { Placed, Stability } from "tenon/core/document";
import type { Contract } from "tenon/core/model";
import type { Side } from "tenon/core/schema";
import type { Finding } from "../change.js";
import type { ContractCode, Policy } from "../codes/index.js";
import type { CounterexampleSearch } from "../counterexample/search.js";
import type { SchemaGraph } from "../schema/graph.js";
import type { Sides } from "../sides.js";

/** Two contracts under comparison, and the callback that gets each finding. */
export interface Comparison {
  readonly contracts: Sides<Contract>;
  readonly schemas: Readonly<Record<Side, SchemaGraph>>;
  readonly search: CounterexampleSearch;
  /** The end of the URLs of all servers, such as `/v1`, if a part of it moved into or out of the paths; otherwise empty texts. */
  readonly movedPaths: Sides<string>;
  /** Milliseconds since 1970. Removals before and after a sunset have different codes. */
  readonly now: number;
  /** The lowest `x-stability-level` whose changes can be breaking. */
  readonly stabilityLevel: Stability;
  /** Decides the levels of changes that no finding states. */
  readonly policy: Policy;
  readonly report: (finding: Finding) => void;
}

/** A comparison within one operation, whose name is part of every finding. */
export interface Scope extends Comparison {
  readonly operation?: string | undefined;
}

interface ChangeDetails extends Pick<Finding, "message" | "before" | "after" | "level" | "because"> {
  readonly at: Partial<Sides<Placed | undefined>>;
}

/** Reports a change outside of schemas, at its place in the revision if it has one there. */
export function reportChange(
  code: ContractCode,
  { at, ...details }: ChangeDetails,
  { operation, report }: Scope,
): void {
  const side = at.revision === undefined ? "base" : "revision";
  report({ code, ...details, operation, at: { side, pointer: at[side]?.pointer ?? "#" } });
}

/** Reports that a body, parameter or header became required or optional. */
export function compareRequired(
  at: Sides<Placed & { readonly required: boolean }>,
  {
    name,
    kind,
  }: {
    readonly name: string;
    readonly kind: "request-body" | "request-parameter" | "response-body" | "response-header";
  },
  scope: Scope,
): void {
  if (at.base.required === at.revision.required) return;
  const now = at.revision.required ? "required" : "optional";
  reportChange(`${kind}-became-${now}`, { message: `${name} became ${now}`, at }, scope);
}
