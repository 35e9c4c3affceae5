import { showInstant, toInstant } from "tenon/core/document";
import type { Rule } from "../rule.js";

const MILLISECONDS_PER_DAY = 86_400_000;

export interface SunsetAheadOptions {
  /** Number of days before `x-sunset` at which the warning starts; default 180. */
  readonly warnDays: number;
  /** The day to compare with, as an RFC 3339 date or date-time; default now. Makes a result repeatable. */
  readonly today: string;
}

/**
 * Reports an operation, parameter, header or schema whose sunset date (`x-sunset`) is near, with the rule's own severity. A past date
 * is always an error: the service responds with 410 to the operation. Remove the declaration from the contract or move the date.
 * `deprecation-named` reports a value that is not a date.
 */
export const sunsetAhead: Rule<SunsetAheadOptions> = (_contract, { declarations, options, report }) => {
  const { warnDays = 180, today } = options;
  const now = today === undefined ? Date.now() : toInstant(today);
  if (now === undefined) {
    throw new Error(`Expected option \`today\` to be an RFC 3339 date; found ${JSON.stringify(today)}.`);
  }
  for (const { pointer, noun, lifecycle } of declarations.lasting) {
    const { sunset } = lifecycle;
    if (sunset === undefined) continue;
    const days = (sunset - now) / MILLISECONDS_PER_DAY;
    const date = showInstant(sunset);
    if (days <= 0) {
      const message = `Expected \`x-sunset\` to be ahead; ${date} is past. Remove the ${noun} or move the date.`;
      report(`${pointer}/x-sunset`, message, { severity: "error" });
    } else if (days < warnDays) {
      const message = `Expected \`x-sunset\` to be at least ${warnDays} days ahead; ${date} is ${Math.floor(days)} days ahead.`;
      report(`${pointer}/x-sunset`, message);
    }
  }
};
