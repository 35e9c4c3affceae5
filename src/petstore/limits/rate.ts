/** Number of requests per window of time. */
export interface Rate {
  /** Requests, 1 or more. */
  readonly limit: number;
  /** In whole seconds, the unit of the `RateLimit-Policy` header. */
  readonly windowSeconds: number;
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** The form that {@link parseRate} accepts, for messages. */
export const RATE_FORM = "off, or requests and a time such as 100/60s, from 1 to 1000000 in 1s to 30d";

/**
 * Parses `100/60s`, `5000/1h` or `off`.
 * @returns undefined for other text.
 */
export function parseRate(text: string): Rate | "off" | undefined {
  if (text === "off") return text;
  const [, limitText, count, unit] = /^(\d{1,7})\/(\d{1,7})([smhd])$/.exec(text) ?? [];
  if (limitText === undefined) return undefined;
  const limit = Number(limitText);
  const windowSeconds = Number(count) * SECONDS[unit as keyof typeof SECONDS];
  const isValid = limit >= 1 && limit <= 1_000_000 && windowSeconds >= 1 && windowSeconds <= 30 * SECONDS.d;
  return isValid ? { limit, windowSeconds } : undefined;
}
