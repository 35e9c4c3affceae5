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
