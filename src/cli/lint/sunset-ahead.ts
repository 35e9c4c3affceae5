import type { Oas3Visitor } from "@redocly/openapi-core";
import { readLifecycle } from "tenon/core/document/lifecycle";
import { showInstant, toInstant } from "tenon/core/document/instant";
import { visitLifecycles } from "./visit-lifecycles.js";

const MILLISECONDS_PER_DAY = 86_400_000;

export interface SunsetAheadOptions {
  /** How many days before `x-sunset` the warning starts; default 180. */
  readonly warnDays?: number;
  /** The day to compare with, as an RFC 3339 date or date-time; default now. Makes a result repeatable. */
  readonly today?: string;
}

/**
 * Tells that the removal date (`x-sunset`) of an operation, parameter, header or schema nears, with the rule's own severity, and that
 * it is past, always as an error: from then on the service answers 410 to an operation, and what is past is to be taken out of the
 * contract or given more time. A value that is no date is left to `deprecation-named`.
 */
export function sunsetAhead({ warnDays = 180, today }: SunsetAheadOptions): Oas3Visitor {
  const now = today === undefined ? Date.now() : toInstant(today);
  if (now === undefined) {
    throw new Error(`Expected option \`today\` to be an RFC 3339 date; found ${JSON.stringify(today)}.`);
  }

  return visitLifecycles((node, noun, context) => {
    const { sunset } = readLifecycle(node);
    if (sunset === undefined) return;

    const days = (sunset - now) / MILLISECONDS_PER_DAY;
    if (days <= 0) {
      context.report({
        message: `Expected \`x-sunset\` to be ahead; ${showInstant(sunset)} is past. Remove the ${noun} or move the date.`,
        location: context.location.child("x-sunset"),
        forceSeverity: "error",
      });
    } else if (days < warnDays) {
      context.report({
        message: `Expected \`x-sunset\` to be at least ${warnDays} days ahead; ${showInstant(sunset)} is ${Math.floor(days)} days ahead.`,
        location: context.location.child("x-sunset"),
      });
    }
  });
}
