import { isReplacementUrl, type Lifecycle, type Node, showInstant, toArray } from "tenon/core/document";
import type { Contract, Operation } from "tenon/core/model";
import { type CodeSample, hasSample } from "../samples/samples.js";
import { markDecisions } from "./decisions.js";
import type { TextNode } from "./list-texts.js";
import { toCode, toFragment, toOperationLink } from "./markdown.js";

interface OperationContext {
  readonly contract: Contract;
  readonly samples: readonly CodeSample[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Adds to an operation what its part of the page shows: a heading where it has no name, notes, badges and samples. */
export function toOperation(node: Node, operation: Operation, context: OperationContext): Node {
  const { id, hasId, description, summary, lifecycle, path } = operation;
  const { contract, now } = context;
  const notes = [
    ...(hasId ? toNameNote(id) : []),
    ...toLifecycleNotes(lifecycle, { isOperation: true, now }),
    ...(hasId ? [`[Try it](try.html#operation/${toFragment(id)})`] : []),
    ...toOperationNotes(operation, contract),
  ];
  const given = toArray(node["x-codeSamples"] ?? node["x-code-samples"]);
  const samples = context.samples.filter((sample) => !hasSample(given, sample));
  return {
    ...node,
    // Redoc makes a heading of the summary, or else of the description's first characters.
    ...(!hasId && summary === undefined && { summary: description?.slice(0, 50) ?? path }),
    ...toMembers(operation, description, notes),
    ...toBadges(node, lifecycle, now),
    ...(samples.length > 0 && { "x-codeSamples": [...given, ...samples] }),
  };
}

/** Puts notes before a description. */
export function toMembers(
  { lifecycle }: Pick<TextNode, "lifecycle">,
  own: string | undefined,
  notes: readonly string[],
) {
  const description = [notes.join(" · "), own && markDecisions(own)].filter(Boolean).join("\n\n");
  return {
    ...(lifecycle?.deprecated === true && notes.length > 0 && { deprecated: true }),
    ...(description !== "" && { description }),
  };
}

/** Notes the name by which clients know an operation. */
export function toNameNote(operationId: string | undefined): readonly string[] {
  return operationId === undefined ? [] : [`operationId ${toCode(operationId)}`];
}

/** Notes a lifecycle: `**removed on** 2030-12-05`, and from that day on, when the response is 410, `**gone since** 2030-12-05`. */
export function toLifecycleNotes(
  lifecycle: Lifecycle | undefined,
  { isOperation, now }: { readonly isOperation: boolean; readonly now: number },
): readonly string[] {
  if (lifecycle === undefined) return [];
  const { stability, since, sunset, replacedBy } = lifecycle;
  const isLinked = isOperation && replacedBy !== undefined && !isReplacementUrl(replacedBy);
  // A parameter or property is accepted after its end, as long as the contract has it.
  const ended = isOperation ? "**gone since**" : "**ended on**";
  const notes = {
    "**stability**": stability === "stable" ? undefined : stability,
    "**deprecated since**": since === undefined ? undefined : showInstant(since),
    [isGone(lifecycle, now) ? ended : "**removed on**"]:
      sunset === undefined ? undefined : showInstant(sunset),
    "**use instead**": replacedBy && (isLinked ? toOperationLink(replacedBy) : toCode(replacedBy)),
  };
  return Object.entries(notes).flatMap(([name, note]) => (note === undefined ? [] : [`${name} ${note}`]));
}

/** Dark enough for the white text that Redoc writes on them (WCAG 2.2, 1.4.3). */
const GONE_COLOR = "#b3261e";
const STABILITY_COLOR = "#5b3f8f";

/** Creates the badges of operations that are gone, or less than stable. Redoc has one for deprecated operations. */
export function toBadges(node: Node, lifecycle: Lifecycle | undefined, now: number): Node {
  if (lifecycle === undefined) return {};
  const { stability } = lifecycle;
  const badges = [
    ...toArray(node["x-badges"]),
    ...(stability === "stable" ? [] : [{ name: stability, color: STABILITY_COLOR }]),
    ...(isGone(lifecycle, now) ? [{ name: "Gone", color: GONE_COLOR }] : []),
  ];
  return badges.length === 0 ? {} : { "x-badges": badges };
}

function isGone({ sunset }: Lifecycle, now: number): boolean {
  return sunset !== undefined && sunset <= now;
}

/**
 * Notes facts about an operation that Redoc does not show: it needs no key, its calls are limited, it can be repeated.
 * `**rate limit** 429, reported by `RateLimit``
 */
function toOperationNotes(operation: Operation, contract: Contract): readonly string[] {
  const notes = [noteKey(operation, contract), noteLimit(operation), noteRepetition(operation)];
  return notes.filter((note) => note !== undefined);
}

/** Redoc shows which key is needed; that none is needed is worth a note only where other operations need one. */
function noteKey({ security }: Operation, { securitySchemes }: Contract): string | undefined {
  const needsKey =
    security.every((requirement) => Object.keys(requirement).length > 0) && security.length > 0;
  if (securitySchemes.length === 0 || needsKey) return undefined;
  return security.length > 1 ? "**key** optional" : "**key** none";
}

/** Headers with the number of calls that are left: those of the IETF's proposals, or the convention before them. */
const LIMIT_HEADER = /^(?:x-)?rate-?limit/i;

function noteLimit({ responses }: Operation): string | undefined {
  const limited = responses.filter(({ status }) => status === "429");
  const successes = responses.filter(({ status }) => status.startsWith("2"));
  const headers = [...successes, ...limited].flatMap((response) => response.headers.map(({ name }) => name));
  const names = [...new Set(headers.filter((name) => LIMIT_HEADER.test(name)))];
  const parts = [
    ...(limited.length === 0 ? [] : ["429"]),
    ...(names.length === 0 ? [] : [`reported by ${names.map(toCode).join(", ")}`]),
  ];
  return parts.length === 0 ? undefined : `**rate limit** ${parts.join(", ")}`;
}

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
function noteRepetition({ parameters }: Operation): string | undefined {
  const key = parameters.find(
    (parameter) => parameter.in === "header" && /^(?:x-)?idempotency-key$/i.test(parameter.name),
  );
  return key && `**can be repeated** with ${toCode(key.name)}`;
}
