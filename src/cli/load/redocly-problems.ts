import type { BaseResolver, NormalizedProblem } from "@redocly/openapi-core";
import type { ContractProblemCode } from "tenon/core/document/contract-error";
import { isNode, toText } from "tenon/core/legacy/document";
import { getByPointer } from "tenon/core/document/pointer";
import { describeSyntax } from "./file-error.js";
import { toPosition } from "./locate.js";
import type { Problem } from "tenon/core/document/problem";
import { explainUnresolved } from "./unresolved.js";

/**
 * Turns what Redocly found into problems, each told once. Those that its ignore file names are left out.
 * @param toCode Code of a problem, by the rule that found it.
 * @param resolver Which read the documents.
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
    const told: Problem = {
      code: toCode(problem),
      severity: problem.severity === "error" ? "error" : "warning",
      message,
      ...toPosition(location),
      ...toHint(message, suggest),
      ...(await explain(problem, resolver)),
    };
    problems.set(JSON.stringify(told), told);
  }
  return [...problems.values()];
}

/** Of an `enum` every value is suggested, and is in the message already. */
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

/** Of a reference that leads nowhere Redocly tells neither where to nor, of a file that it leads to, more than an absolute path. */
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
  const reference = isNode(value) ? toText(value["$ref"] ?? value["externalValue"]) : toText(value);
  if (reference === undefined) return undefined;
  return { code: "reference-unresolved", ...(await explainUnresolved(reference, document, resolver)) };
}
