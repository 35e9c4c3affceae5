import type { BaseResolver, NormalizedProblem } from "@redocly/openapi-core";
import {
  type ContractProblemCode,
  getByPointer,
  getReference,
  isNode,
  type Problem,
  toText,
} from "tenon/core/document";
import { describeSyntax } from "./file-error.js";
import { toPosition } from "./locate.js";
import { explainUnresolved } from "./unresolved.js";

/**
 * Converts Redocly's problems without duplicates. Those in its ignore file are left out.
 * @param toCode Code of a problem, by the rule that found it.
 * @param resolver The one that read the documents.
 */
export async function toProblems(
  found: readonly NormalizedProblem[],
  toCode: (problem: NormalizedProblem) => string,
  resolver: BaseResolver,
): Promise<Problem[]> {
  const problems = new Map<string, Problem>();
  for (const problem of found) {
    const [location] = problem.location;
    if (problem.ignored === true || location === undefined) continue;
    const { message, suggest } = problem;
    const converted: Problem = {
      code: toCode(problem),
      severity: problem.severity === "error" ? "error" : "warning",
      message,
      ...toPosition(location),
      ...toHint(message, suggest),
      ...(await explain(problem, resolver)),
    };
    problems.set(JSON.stringify(converted), converted);
  }
  return [...problems.values()];
}

/** Creates a hint, unless the message already lists the values of an `enum`. */
function toHint(message: string, suggest: readonly unknown[]): { readonly hint?: string } {
  if (suggest.length === 0 || message.includes("allowed values")) return {};
  const shown = suggest.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return { hint: `Did you mean ${[...new Set(shown)].join(", ")}?` };
}

interface Explained {
  readonly code: ContractProblemCode;
  readonly message: string;
  readonly hint?: string;
}

/** Explains an unresolved reference. Redocly does not report its target, and only the absolute path of a missing file. */
async function explain(
  { message, location: [location] }: NormalizedProblem,
  resolver: BaseResolver,
): Promise<Explained | undefined> {
  const [, syntax] = /^Failed to parse: (.*)$/s.exec(message) ?? [];
  if (syntax !== undefined) return { code: "document-syntax", message: describeSyntax({ message: syntax }) };
  if (!message.startsWith("Can't resolve $ref") || location?.pointer === undefined) return undefined;

  const document = await resolver.resolveDocument(null, location.source.absoluteRef);
  if (document instanceof Error || !isNode(document.parsed)) return undefined;
  const { pointer } = location;
  const value = pointer === "#/" ? document.parsed : getByPointer(document.parsed, pointer);
  // A discriminator's mapping has references without `$ref`.
  const reference = isNode(value) ? (getReference(value) ?? toText(value["externalValue"])) : toText(value);
  if (reference === undefined) return undefined;
  return { code: "reference-unresolved", ...(await explainUnresolved(reference, document, resolver)) };
}
