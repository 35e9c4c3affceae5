import {
  findInvalidExtensions,
  type InvalidExtension,
  type Lasting,
  type Lifecycle,
  type LifecycleExtension,
  rankStability,
  showInstant,
  STABLE,
} from "tenon/core/document";
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
  | "stability-lowered"
  | "lifecycle-invalid"
  | "lifecycle-valid";

/** One difference between two lifecycles. */
export interface LifecycleChange {
  readonly name: LifecycleChangeName;
  /** Formatted for people. Undefined: not stated. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The invalid extension. */
  readonly subject?: LifecycleExtension;
  /** The level and its reason, where they differ from those of its code. */
  readonly weight?: Pick<Finding, "level" | "because">;
}

/**
 * Compares the deprecation, sunset, replacement and stability of an operation, parameter, header or schema. An invalid value is a
 * change of its own. It counts as what protects clients: in the base as no date, or `stable`; in the revision as the earliest
 * date, or `draft`.
 */
export function compareLifecycles(from: Lasting, to: Lasting): readonly LifecycleChange[] {
  const { lifecycle: base = STABLE } = from;
  const { lifecycle: revision = STABLE } = to;
  const invalid = findInvalid(to);
  const isReadable = (key: LifecycleExtension) => !invalid.has(key);
  const changes: LifecycleChange[] = [];
  if (base.deprecated !== revision.deprecated)
    changes.push({ name: revision.deprecated ? "deprecated" : "undeprecated" });
  if (isReadable("x-sunset")) changes.push(...compareSunsets(base.sunset, revision.sunset));
  // A new deprecation comes with its date and replacement.
  if (base.deprecated && revision.deprecated) {
    if (base.since !== revision.since && isReadable("x-deprecated-since")) {
      const texts = { before: show(base.since), after: show(revision.since) };
      changes.push({ name: "deprecated-since-changed", ...texts });
    }
    if (base.replacedBy !== revision.replacedBy && isReadable("x-replaced-by"))
      changes.push({ name: "replacement-changed", before: base.replacedBy, after: revision.replacedBy });
  }
  const raised = rankStability(revision.stability) - rankStability(base.stability);
  if (raised !== 0 && isReadable("x-stability-level")) {
    const name = raised > 0 ? "stability-raised" : "stability-lowered";
    changes.push({ name, before: base.stability, after: revision.stability });
  }
  return [...changes, ...compareInvalid(findInvalid(from), invalid, revision)];
}

type InvalidExtensions = ReadonlyMap<LifecycleExtension, InvalidExtension>;

/** Finds the invalid extensions that would mean something: only what is deprecated has dates and a replacement. */
function findInvalid({ lifecycle = STABLE, lifecycleFields = {} }: Lasting): InvalidExtensions {
  const invalid = findInvalidExtensions(lifecycleFields).filter(
    ({ key }) => lifecycle.deprecated || key === "x-stability-level",
  );
  return new Map(invalid.map((one) => [one.key, one]));
}

/** Meanings of invalid values in the revision. Undefined: metadata, which does not affect clients. */
const COUNTS_AS: Readonly<Partial<Record<LifecycleExtension, string>>> = {
  "x-sunset": "it counts as earlier than any promised date",
  "x-stability-level": "it counts as draft",
};

function compareInvalid(
  base: InvalidExtensions,
  revision: InvalidExtensions,
  { deprecated }: Lifecycle,
): readonly LifecycleChange[] {
  const changes: LifecycleChange[] = [];
  for (const [key, { value, expected }] of revision) {
    const old = base.get(key);
    if (old !== undefined && showValue(old.value) === showValue(value)) continue;
    const counts = COUNTS_AS[key];
    const weight = {
      ...(counts === undefined && { level: "safe" as const }),
      because: `Expected ${expected}${counts === undefined ? "" : `; ${counts}`}.`,
    };
    changes.push({ name: "lifecycle-invalid", subject: key, after: showValue(value), weight });
  }
  for (const [key, { value }] of base) {
    if (revision.has(key) || (key !== "x-stability-level" && !deprecated)) continue;
    const weight = key === "x-sunset" ? {} : { level: "safe" as const };
    changes.push({ name: "lifecycle-valid", subject: key, before: showValue(value), weight });
  }
  return changes;
}

function showValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
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
  { name, weight = {} }: LifecycleChange,
  { lifecycle: { deprecated, sunset } = STABLE }: Lasting,
  now: number,
): NonNullable<LifecycleChange["weight"]> {
  if (name === "sunset-added" && sunset !== undefined && sunset <= now)
    return {
      level: "breaking",
      because: "The sunset date has already passed: clients get no time to migrate.",
    };
  if (name === "sunset-removed" && !deprecated)
    return { level: "safe", because: "It is no longer deprecated." };
  return weight;
}

/** Finds the invalid sunset date of what is deprecated, formatted for people. */
export function findInvalidSunset(lasting: Lasting): string | undefined {
  const sunset = findInvalid(lasting).get("x-sunset");
  return sunset && JSON.stringify(sunset.value);
}
