import { toInstant } from "./instant.js";

/**
 * Levels of `x-stability-level`, from the least that is promised: those that oasdiff's users know, and `experimental`, which
 * promises what `alpha` does.
 * @see https://github.com/oasdiff/oasdiff/blob/main/docs/STABILITY.md
 */
export const STABILITY_LEVELS = ["draft", "alpha", "experimental", "beta", "stable"] as const;

export type Stability = (typeof STABILITY_LEVELS)[number];

/** How much a level promises: the more, the higher. Levels that promise the same have the same rank. */
export function rankStability(level: Stability): number {
  return STABILITY_LEVELS.indexOf(level === "experimental" ? "alpha" : level);
}

/** Extensions that only something deprecated has. */
export const DEPRECATION_EXTENSIONS = ["x-deprecated-since", "x-sunset", "x-replaced-by"] as const;

export type LifecycleExtension = (typeof DEPRECATION_EXTENSIONS)[number] | "x-stability-level";

/** How long an operation, parameter, header or schema lasts, and how much is promised of it. */
export interface Lifecycle {
  readonly deprecated: boolean;
  /** Start of the deprecation, in milliseconds since 1970. */
  readonly since?: number;
  /** From this instant on it is gone, in milliseconds since 1970. */
  readonly sunset?: number;
  /** What to use instead: an operation's `operationId`, else the name of another parameter, header, property or schema. */
  readonly replacedBy?: string;
  readonly stability: Stability;
}

/**
 * Reads the lifecycle of a node. The one place that knows what the members mean, so that types, headers, docs, lint and
 * comparisons cannot disagree: one of the extensions makes deprecated what `deprecated` is forgotten of, `deprecated: false`
 * makes them void, a value that {@link findUnreadable} names counts as not written, and no level is `stable`.
 * @param node An Operation, Parameter, Header or Schema Object.
 */
export function readLifecycle(node: object): Lifecycle {
  const stability = toStability(get(node, "x-stability-level")) ?? "stable";
  const told = DEPRECATION_EXTENSIONS.some((key) => get(node, key) !== undefined);
  const stated = get(node, "deprecated");
  if (stated !== true && (stated === false || !told)) return { deprecated: false, stability };
  const since = toInstant(get(node, "x-deprecated-since"));
  const sunset = toInstant(get(node, "x-sunset"));
  const replacedBy = toName(get(node, "x-replaced-by"));
  return {
    deprecated: true,
    ...(since !== undefined && { since }),
    ...(sunset !== undefined && { sunset }),
    ...(replacedBy !== undefined && { replacedBy }),
    stability,
  };
}

/** The lifecycle of what is deprecated or less than stable, as a member to spread; of all else there is nothing to say. */
export function notableLifecycle(node: object): { readonly lifecycle?: Lifecycle } {
  const lifecycle = readLifecycle(node);
  return lifecycle.deprecated || lifecycle.stability !== "stable" ? { lifecycle } : {};
}

const READERS: Readonly<Record<LifecycleExtension, (value: unknown) => unknown>> = {
  "x-deprecated-since": toInstant,
  "x-sunset": toInstant,
  "x-replaced-by": toName,
  "x-stability-level": toStability,
};

const WANTED: Readonly<Record<LifecycleExtension, string>> = {
  "x-deprecated-since": 'an RFC 3339 full-date or date-time, for example "2030-12-05"',
  "x-sunset": 'an RFC 3339 full-date or date-time, for example "2030-12-05"',
  "x-replaced-by": "the name of what to use instead",
  "x-stability-level": `one of ${STABILITY_LEVELS.join(", ")}`,
};

export interface Unreadable {
  readonly key: LifecycleExtension;
  readonly value: unknown;
  /** What it should be, completing "to be". */
  readonly wanted: string;
}

/** The extensions of a node whose values nobody can read. */
export function findUnreadable(node: object): readonly Unreadable[] {
  return (Object.keys(READERS) as LifecycleExtension[]).flatMap((key) => {
    const value = get(node, key);
    if (value === undefined || READERS[key](value) !== undefined) return [];
    return [{ key, value, wanted: WANTED[key] }];
  });
}

/** Whether the end comes before the start, which RFC 9745, section 4, forbids. */
export function endsBeforeStart({ since, sunset }: Lifecycle): boolean {
  return since !== undefined && sunset !== undefined && sunset < since;
}

function toStability(value: unknown): Stability | undefined {
  return STABILITY_LEVELS.find((level) => level === value);
}

function toName(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function get(node: object, key: string): unknown {
  return Object.hasOwn(node, key) ? (node as Readonly<Record<string, unknown>>)[key] : undefined;
}
