import { type Lifecycle, showInstant } from "tenon/core/document";
import { type Operation, toOperationLabel } from "tenon/core/model";

/**
 * Describes a lifecycle in a comment, to be placed before other tags: `Stability: experimental.` and
 * `@deprecated Since 2026-11-21. Removed on 2030-12-05. Use limit.` For the other parameters see {@link describeDeprecation}.
 */
export function lifecycleLines(
  lifecycle: Lifecycle | undefined,
  tag?: string,
  replacement?: string,
): readonly string[] {
  if (lifecycle === undefined) return [];
  const { deprecated } = lifecycle;
  return [
    ...describeStability(lifecycle),
    ...(deprecated ? [describeDeprecation(lifecycle, tag, replacement)] : []),
  ];
}

/** Describes the stability; empty for `stable`, which is the default. */
export function describeStability({ stability }: Lifecycle): readonly string[] {
  return stability === "stable" ? [] : [`Stability: ${stability}.`];
}

/**
 * Describes a deprecation.
 * @param tag Start of the text.
 * @param replacement Description of the replacement. Default: `x-replaced-by`.
 */
export function describeDeprecation(
  { since, sunset, replacedBy }: Lifecycle,
  tag = "@deprecated",
  replacement = replacedBy,
): string {
  return [
    tag,
    ...(since === undefined ? [] : [`Since ${showInstant(since)}.`]),
    ...(sunset === undefined ? [] : [`Removed on ${showInstant(sunset)}.`]),
    ...(replacement === undefined ? [] : [`Use ${replacement.replaceAll(/\s+/g, " ")}.`]),
  ].join(" ");
}

/** Describes the operation to use instead: `listPets: GET /pets`. */
export function describeSuccessor(successor: Operation["successor"]): string | undefined {
  return successor && `${successor.id}: ${toOperationLabel(successor)}`;
}
