/**
 * Levels of `x-stability-level`, from the least stable: those of oasdiff, and `experimental`, which is equivalent to `alpha`.
 * @see https://github.com/oasdiff/oasdiff/blob/main/docs/STABILITY.md
 */
export const STABILITY_LEVELS = ["draft", "alpha", "experimental", "beta", "stable"] as const;

export type Stability = (typeof STABILITY_LEVELS)[number];

/** Returns the rank of a level: the more stable, the higher. Equivalent levels have the same rank. */
export function rankStability(level: Stability): number {
  return STABILITY_LEVELS.indexOf(level === "experimental" ? "alpha" : level);
}

/** Extensions that imply `deprecated`. */
export const DEPRECATION_EXTENSIONS = ["x-deprecated-since", "x-sunset", "x-replaced-by"] as const;

export type LifecycleExtension = (typeof DEPRECATION_EXTENSIONS)[number] | "x-stability-level";

/** Deprecation and stability of an operation, parameter, header or schema. */
export interface Lifecycle {
  readonly deprecated: boolean;
  /** Start of the deprecation, in milliseconds since 1970. */
  readonly since?: number;
  /** Sunset date, in milliseconds since 1970. */
  readonly sunset?: number;
  /** Replacement: the `operationId` or URL of an operation, or the name of a parameter, header, property or schema. */
  readonly replacedBy?: string;
  readonly stability: Stability;
}

/** The lifecycle of a node without lifecycle fields. */
export const STABLE: Lifecycle = { deprecated: false, stability: "stable" };

/**
 * Reads the lifecycle of a node. Types, headers, docs, lint and comparisons all use this function, so that they agree:
 *
 * - A deprecation extension implies `deprecated: true`.
 * - `deprecated: false` overrides the extensions.
 * - An invalid value, see {@link findInvalidExtensions}, is ignored.
 * - The default level is `stable`.
 * @param node An Operation, Parameter, Header or Schema Object.
 */
export function readLifecycle(node: object): Lifecycle {
  const stability = toStability(get(node, "x-stability-level")) ?? "stable";
  const implied = DEPRECATION_EXTENSIONS.some((key) => get(node, key) !== undefined);
  const stated = get(node, "deprecated");
  if (stated !== true && (stated === false || !implied)) return { deprecated: false, stability };
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

/** Returns the lifecycle of a node that is deprecated or not stable, as a member to spread; otherwise an empty object. */
export function notableLifecycle(node: object): { readonly lifecycle?: Lifecycle } {
  const lifecycle = readLifecycle(node);
  return lifecycle.deprecated || lifecycle.stability !== "stable" ? { lifecycle } : {};
}

const FIELDS = ["deprecated", ...DEPRECATION_EXTENSIONS, "x-stability-level"] as const;

/** The raw lifecycle fields of the document, for lint rules to validate. */
export type LifecycleFields = Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>>;

/** An operation, parameter, header or schema of the model. */
export interface Lasting {
  /** Absent if the node is stable and not deprecated. */
  readonly lifecycle?: Lifecycle;
  /** Absent if the node has no such field. */
  readonly lifecycleFields?: LifecycleFields;
}

/** Reads the lifecycle of a node and its raw fields, as members to spread. */
export function readLasting(node: object): Lasting {
  const written = FIELDS.filter((key) => get(node, key) !== undefined);
  if (written.length === 0) return {};
  const lifecycleFields = Object.fromEntries(written.map((key) => [key, get(node, key)]));
  return { ...notableLifecycle(node), lifecycleFields };
}

const READERS: Readonly<Record<LifecycleExtension, (value: unknown) => unknown>> = {
  "x-deprecated-since": toInstant,
  "x-sunset": toInstant,
  "x-replaced-by": toName,
  "x-stability-level": toStability,
};

const EXPECTED: Readonly<Record<LifecycleExtension, string>> = {
  "x-deprecated-since": 'an RFC 3339 full-date or date-time, for example "2030-12-05"',
  "x-sunset": 'an RFC 3339 full-date or date-time, for example "2030-12-05"',
  "x-replaced-by": "the name of what to use instead",
  "x-stability-level": `one of ${STABILITY_LEVELS.join(", ")}`,
};

export interface InvalidExtension {
  readonly key: LifecycleExtension;
  readonly value: unknown;
  /** The expected value; it completes "to be". */
  readonly expected: string;
}

/** Finds the lifecycle extensions of a node with invalid values. */
export function findInvalidExtensions(node: object): readonly InvalidExtension[] {
  return (Object.keys(READERS) as LifecycleExtension[]).flatMap((key) => {
    const value = get(node, key);
    if (value === undefined || READERS[key](value) !== undefined) return [];
    return [{ key, value, expected: EXPECTED[key] }];
  });
}

/** A URL with http or https, or a reference that starts with a slash or dots; it may contain a URI template's `{petId}`. */
const REPLACEMENT_URL = /^(?:https?:\/\/\w|\.{0,2}\/)[\w.%~!$&()*+,;=:@/?#{}-]*$/;

/** Tests whether a replacement is a URL, such as `/v2/pets` or `https://api.example.com/v2/pets`: an operation of another contract. */
export function isReplacementUrl(replacedBy: string): boolean {
  return REPLACEMENT_URL.test(replacedBy);
}

/** Tests whether the sunset is earlier than the deprecation, which RFC 9745, section 4, forbids. */
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

/** RFC 3339 `full-date`, or `date-time` with its offset. */
const FULL_DATE_OR_DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Converts the value of a date extension, such as `x-sunset`, to milliseconds since 1970. A date means its first instant in UTC.
 * @returns `undefined` when the value is not an RFC 3339 `full-date` or `date-time`.
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */
export function toInstant(value: unknown): number | undefined {
  const date = typeof value === "string" ? FULL_DATE_OR_DATE_TIME.exec(value)?.[1] : undefined;
  if (date === undefined || !isCalendarDate(date)) return undefined;
  const instant = Date.parse(value as string);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Formats an instant: `2030-12-05` if it is the start of a day in UTC, otherwise `2030-12-05T10:00:00Z`. */
export function showInstant(instant: number): string {
  return new Date(instant)
    .toISOString()
    .replace(/\.000Z$/, "Z")
    .replace(/T00:00:00Z$/, "");
}

/** `Date.parse` rolls 31 February over into March instead of refusing it. */
function isCalendarDate(date: string): boolean {
  const instant = Date.parse(date);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date);
}
