import { type Lifecycle, showInstant } from "tenon/core/document";
import { type Operation, toOperationLabel } from "tenon/core/model";

/**
 * Describes a lifecycle in a comment, to be placed before other tags: `Stability: experimental.` and
 * `@deprecated Since 2026-11-21. Removed on 2030-12-05. Use limit.`
 */
export function lifecycleLines(lifecycle: Lifecycle | undefined): readonly string[] {
  if (lifecycle === undefined) return [];
  return [...describeStability(lifecycle), ...(lifecycle.deprecated ? [tagDeprecated(lifecycle)] : [])];
}

/** @param replacement Description of the replacement. Default: `x-replaced-by`. */
export function tagDeprecated(lifecycle: Lifecycle, replacement?: string): string {
  return ["@deprecated", ...describeDeprecation(lifecycle, replacement)].join(" ");
}

/** Describes the stability; empty for `stable`, which is the default. */
export function describeStability({ stability }: Lifecycle): readonly string[] {
  return stability === "stable" ? [] : [`Stability: ${stability}.`];
}

/** Describes a deprecation in sentences that follow the word "deprecated". */
export function describeDeprecation(
  { since, sunset, replacedBy }: Lifecycle,
  replacement = replacedBy,
): readonly string[] {
  return [
    ...(since === undefined ? [] : [`Since ${showInstant(since)}.`]),
    ...(sunset === undefined ? [] : [`Removed on ${showInstant(sunset)}.`]),
    ...(replacement === undefined ? [] : [`Use ${replacement.replaceAll(/\s+/g, " ")}.`]),
  ];
}

/** Describes the operation to use instead: `listPets: GET /pets`. */
export function describeSuccessor(successor: NonNullable<Operation["successor"]>): string {
  return `${successor.id}: ${toOperationLabel(successor)}`;
}
