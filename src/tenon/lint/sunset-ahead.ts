import type { Oas3Visitor } from "@redocly/openapi-core";
import { isNode } from "./node.js";
import { toInstant } from "../contract/to-instant.js";

const MILLISECONDS_PER_DAY = 86_400_000;

export interface SunsetAheadOptions {
  /** How many days before `x-sunset` the warning starts; default 180. */
  readonly warnDays?: number;
  /** The day to compare with, as an RFC 3339 date or date-time; default now. Makes a result repeatable. */
  readonly today?: string;
}

/**
 * Tells that the removal date of an operation (`x-sunset`) nears, with the rule's own severity, and that it is past, always as an
 * error: from then on the service answers 410, and the operation is to be taken out of the contract or given more time.
 * A value that is no date is left to `deprecation-named`.
 */
export function sunsetAhead({ warnDays = 180, today }: SunsetAheadOptions): Oas3Visitor {
  const now = today === undefined ? Date.now() : toInstant(today);
  if (now === undefined) {
    throw new Error(`Expected option \`today\` to be an RFC 3339 date; found ${JSON.stringify(today)}.`);
  }

  return {
    Operation(operation, context) {
      if (!isNode(operation)) return;
      const value = (operation as typeof operation & Readonly<Record<string, unknown>>)["x-sunset"];
      const sunset = toInstant(value);
      if (sunset === undefined) return;

      const days = (sunset - now) / MILLISECONDS_PER_DAY;
      if (days <= 0) {
        context.report({
          message: `Expected \`x-sunset\` to be ahead; ${String(value)} is past. Remove the operation or move the date.`,
          location: context.location.child("x-sunset"),
          forceSeverity: "error",
        });
      } else if (days < warnDays) {
        context.report({
          message: `Expected \`x-sunset\` to be at least ${warnDays} days ahead; ${String(value)} is ${Math.floor(days)} days ahead.`,
          location: context.location.child("x-sunset"),
        });
      }
    },
  };
}
