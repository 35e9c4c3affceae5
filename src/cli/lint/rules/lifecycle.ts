import {
  DEPRECATION_EXTENSIONS,
  endsBeforeStart,
  findInvalidExtensions,
  isReplacementUrl,
  showInstant,
  toInstant,
} from "tenon/core/document";
import type { LastingNode } from "../declarations.js";
import type { Rule, RuleContext } from "../rule.js";

export interface DeprecationNamedOptions {
  /** Extensions that a deprecated operation must have; default all three. */
  readonly required: readonly (typeof DEPRECATION_EXTENSIONS)[number][];
}

/**
 * Requires a deprecated operation to declare the start of its deprecation (`x-deprecated-since`), its sunset (`x-sunset`) and its
 * replacement (`x-replaced-by`, an `operationId` of the document, or the URL of an operation of another one). The runtime sends them in the headers of RFC 9745, RFC 8594 and
 * RFC 8288.
 * The extensions are optional on parameters, headers and schemas, where `x-replaced-by` is any name.
 */
export const deprecationNamed: Rule<DeprecationNamedOptions> = ({ operations }, context) => {
  const { required = DEPRECATION_EXTENSIONS } = context.options;
  const named = new Map(operations.filter(({ hasId }) => hasId).map(({ id, pointer }) => [id, pointer]));
  for (const node of context.declarations.lasting) {
    const { pointer, noun, fields, lifecycle } = node;
    if (fields.deprecated !== true) {
      for (const name of DEPRECATION_EXTENSIONS) {
        if (fields[name] === undefined) continue;
        const message = `Expected \`deprecated: true\` beside \`${name}\`; the ${noun} is not deprecated.`;
        context.report(`${pointer}/${name}`, message, { onKey: true });
      }
      continue;
    }
    for (const name of noun === "operation" ? required : []) {
      if (fields[name] !== undefined) continue;
      const message = `Expected \`${name}\` on a deprecated operation; found none.`;
      context.report(`${pointer}/deprecated`, message, { onKey: true });
    }
    reportValues(node, context);
    const { replacedBy } = lifecycle;
    if (noun !== "operation" || replacedBy === undefined) continue;
    const replacement = named.get(replacedBy);
    if (replacement === undefined ? !isReplacementUrl(replacedBy) : replacement === pointer)
      context.report(`${pointer}/x-replaced-by`, describeReplacement(replacedBy));
  }
};

function reportValues(
  { pointer, noun, fields, lifecycle }: LastingNode,
  { report }: Pick<RuleContext, "report">,
): void {
  for (const { key, value, expected } of findInvalidExtensions(fields)) {
    if (key === "x-stability-level") continue;
    const message =
      noun === "operation" && key === "x-replaced-by"
        ? describeReplacement(value)
        : `Expected \`${key}\` to be ${expected}; found ${JSON.stringify(value)}.`;
    report(`${pointer}/${key}`, message);
  }
  if (!endsBeforeStart(lifecycle)) return;
  const { since = 0, sunset = 0 } = lifecycle;
  report(
    `${pointer}/x-sunset`,
    `Expected \`x-sunset\` not to be before \`x-deprecated-since\`, ${showInstant(since)}; found ${showInstant(sunset)}.`,
  );
}

function describeReplacement(found: unknown): string {
  return `Expected \`x-replaced-by\` to be the operationId of another operation in this document, or a URL such as /v2/pets; found ${JSON.stringify(found)}.`;
}

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

/** Requires a known `x-stability-level`. An unknown level counts as `stable`, which promises more than its author meant. */
export const stabilityKnown: Rule = (_contract, { declarations, report }) => {
  for (const { pointer, fields } of declarations.lasting)
    for (const { key, value, expected } of findInvalidExtensions(fields))
      if (key === "x-stability-level")
        report(`${pointer}/${key}`, `Expected \`${key}\` to be ${expected}; found ${JSON.stringify(value)}.`);
};
