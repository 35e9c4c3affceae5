import type { Lifecycle } from "tenon/core/document/lifecycle";
import type { Operation } from "tenon/core/legacy/model";
import { showInstant } from "tenon/core/document/instant";

/**
 * What a comment says of a lifecycle, after all that is no tag: `Stability: experimental.` and
 * `@deprecated Since 2026-11-21. Removed on 2030-12-05. Use limit.`
 */
export function lifecycleLines(lifecycle: Lifecycle | undefined): readonly string[] {
  if (lifecycle === undefined) return [];
  return [...describeStability(lifecycle), ...(lifecycle.deprecated ? [tagDeprecated(lifecycle)] : [])];
}

/** @param replacement How to name what replaces it, where that is more than `x-replaced-by` says. */
export function tagDeprecated(lifecycle: Lifecycle, replacement?: string): string {
  return ["@deprecated", ...describeDeprecation(lifecycle, replacement)].join(" ");
}

/** Nothing where it is stable, as what says nothing is. */
export function describeStability({ stability }: Lifecycle): readonly string[] {
  return stability === "stable" ? [] : [`Stability: ${stability}.`];
}

/** Sentences that follow the word deprecated. */
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

/** `listPets: GET /pets`. */
export function describeSuccessor({ id, method, path }: NonNullable<Operation["successor"]>): string {
  return `${id}: ${method.toUpperCase()} ${path}`;
}
