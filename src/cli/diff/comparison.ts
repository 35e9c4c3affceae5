import type { Located } from "tenon/core/legacy/document";
import type { Stability } from "tenon/core/document/lifecycle";
import type { Finding, Level } from "./change.js";
import type { OwnCode } from "./codes.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Direction, View } from "./view.js";

/** The same thing of both contracts. */
export interface Sides<Of> {
  readonly base: Of;
  readonly revision: Of;
}

/** Two contracts that are compared, and where to say what is different. */
export interface Comparison {
  readonly views: Sides<View>;
  readonly schemas: Readonly<Record<Direction, SchemaGraph>>;
  /** Milliseconds since 1970: a removal before the sunset is another than one after it. */
  readonly now: number;
  /** The least `x-stability-level` whose promises can be broken. */
  readonly stabilityLevel: Stability;
  readonly report: (finding: Finding) => void;
}

/** Within one operation, whose name every finding carries. */
export interface Scope extends Comparison {
  readonly operation?: string;
}

export interface Told {
  readonly message: string;
  readonly at: Partial<Sides<Located | undefined>>;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Where it is another than the code's. */
  readonly level?: Level;
  readonly because?: string;
}

/** Reports a change of something that is no schema. Its place is the revision's, unless the revision does not have it. */
export function tell(
  code: OwnCode,
  { message, at, before, after, level, because }: Told,
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

/** Things of both sides by their names, in the order of the base and then of what was added. */
export function pairByName<Of>(
  base: ReadonlyMap<string, Of>,
  revision: ReadonlyMap<string, Of>,
): readonly { readonly name: string; readonly base?: Of; readonly revision?: Of }[] {
  return [...new Set([...base.keys(), ...revision.keys()])].map((name) => {
    const [one, other] = [base.get(name), revision.get(name)];
    return { name, ...(one !== undefined && { base: one }), ...(other !== undefined && { revision: other }) };
  });
}
