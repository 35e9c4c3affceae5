import { type Lifecycle, rankStability, showInstant, STABLE } from "tenon/core/document";
import type { Finding } from "./change.js";

export type LifecycleChangeName =
  | "deprecated"
  | "undeprecated"
  | "sunset-added"
  | "sunset-removed"
  | "sunset-earlier"
  | "sunset-later"
  | "deprecated-since-changed"
  | "replacement-changed"
  | "stability-raised"
  | "stability-lowered";

/** One difference between two lifecycles. */
export interface LifecycleChange {
  readonly name: LifecycleChangeName;
  /** Formatted for people. Undefined: not stated. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Compares the deprecation, sunset, replacement and stability of an operation, parameter, header or schema. */
export function compareLifecycles(base: Lifecycle, revision: Lifecycle): readonly LifecycleChange[] {
  const changes: LifecycleChange[] = [];
  if (base.deprecated !== revision.deprecated)
    changes.push({ name: revision.deprecated ? "deprecated" : "undeprecated" });
  changes.push(...compareSunsets(base.sunset, revision.sunset));
  // A new deprecation comes with its date and replacement.
  if (base.deprecated && revision.deprecated) {
    if (base.since !== revision.since) {
      const texts = { before: show(base.since), after: show(revision.since) };
      changes.push({ name: "deprecated-since-changed", ...texts });
    }
    const [before, after] = [base.replacedBy, revision.replacedBy];
    if (before !== after) changes.push({ name: "replacement-changed", before, after });
  }
  const raised = rankStability(revision.stability) - rankStability(base.stability);
  if (raised !== 0) {
    const name = raised > 0 ? "stability-raised" : "stability-lowered";
    changes.push({ name, before: base.stability, after: revision.stability });
  }
  return changes;
}

function compareSunsets(before: number | undefined, after: number | undefined): readonly LifecycleChange[] {
  if (before === after) return [];
  const texts = { before: show(before), after: show(after) };
  if (before === undefined) return [{ name: "sunset-added", ...texts }];
  if (after === undefined) return [{ name: "sunset-removed", ...texts }];
  return [{ name: after < before ? "sunset-earlier" : "sunset-later", ...texts }];
}

function show(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : showInstant(instant);
}

/** Finds the level of a change where it depends on the current time. @param now Milliseconds since 1970. */
export function weighLifecycleChange(
  name: string,
  { deprecated, sunset }: Lifecycle = STABLE,
  now: number,
): Pick<Finding, "level" | "because"> {
  if (name === "sunset-added" && sunset !== undefined && sunset <= now)
    return {
      level: "breaking",
      because: "The sunset date has already passed: clients get no time to migrate.",
    };
  if (name === "sunset-removed" && deprecated)
    return { level: "risky", because: "It stays deprecated without a sunset date." };
  return {};
}
