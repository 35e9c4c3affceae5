import type { Node } from "tenon/core/legacy/document";
import { readLifecycle, type Stability } from "tenon/core/document/lifecycle";
import type { Finding } from "./change.js";
import { compareRequestBodies } from "./bodies.js";
import { type Comparison, pairByName, type Scope, type Sides, tell } from "./comparison.js";
import { compareLifecycle, OPERATION, tellOperationRemoved, withPromise } from "./lifecycle.js";
import { compareMetadata, compareTexts, compareVersions } from "./metadata.js";
import { listOperations, type OperationView } from "./operations.js";
import { compareCallbacks, compareWebhooks } from "./outgoing.js";
import { compareParameters } from "./parameters.js";
import { compareResponses } from "./responses.js";
import { SchemaGraph } from "./schema/graph.js";
import { compareOwnServers, compareServers } from "./servers.js";
import { compareSecurity, compareSecuritySchemes, type SchemeNames } from "./security.js";
import { createView } from "./view.js";

/** What is not looked at, told with every verdict. */
export const NOT_JUDGED: readonly string[] = [
  "examples, external documentation, XML and links",
  "extensions other than x-sunset, x-deprecated-since, x-replaced-by and x-stability-level",
  "components that no operation refers to",
  "parameters, statuses and lifecycles of callbacks and webhooks",
  "headers of the parts of a multipart body",
  "lifecycles of the alternatives of oneOf and anyOf",
  "which values two different patterns share, and what $dynamicRef refers to",
];

export interface CompareOptions {
  /** The day that sunsets are compared with, in milliseconds since 1970. */
  readonly now: number;
  /**
   * The least `x-stability-level` whose changes can be breaking; those of less stable operations, parameters, headers and
   * properties are risky at most. Default: `beta`, as oasdiff's `--stability-level`.
   */
  readonly stabilityLevel?: Stability;
}

/**
 * Compares two contracts by what they mean.
 * @param documents Bundled OpenAPI 3.0 or 3.1 documents, in any combination.
 * @returns Every difference once an operation, in the order of the base.
 */
export function compareContracts(
  documents: Sides<Node>,
  { now, stabilityLevel = "beta" }: CompareOptions,
): readonly Finding[] {
  const findings: Finding[] = [];
  const views = { base: createView(documents.base), revision: createView(documents.revision) };
  const comparison: Comparison = {
    views,
    schemas: {
      request: new SchemaGraph(views, "request"),
      response: new SchemaGraph(views, "response"),
    },
    now,
    stabilityLevel,
    report: (finding) => findings.push(finding),
  };
  compareVersions(comparison);
  compareTexts(comparison);
  compareServers(comparison);
  const names = compareSecuritySchemes(comparison);
  for (const pair of pairByName(
    listOperations(views.base, "paths"),
    listOperations(views.revision, "paths"),
  )) {
    const { base, revision } = pair;
    const operation = (revision ?? base)?.label ?? pair.name;
    const within = { ...comparison, operation };
    const scope = base ? withPromise(readLifecycle(base.node).stability, "the operation", within) : within;
    if (base && revision) compareOperation({ base, revision }, names, scope);
    else if (revision) tell("operation-added", { message: `${operation} is new`, at: { revision } }, scope);
    else if (base) tellOperationRemoved(base, scope);
  }
  compareWebhooks(comparison);
  return unique(findings);
}

function compareOperation(operations: Sides<OperationView>, names: SchemeNames, scope: Scope): void {
  compareMetadata(operations, scope);
  compareLifecycle(operations, OPERATION, scope);
  compareOwnServers(operations, scope);
  compareSecurity(operations, names, scope);
  compareParameters(operations, scope);
  compareRequestBodies(operations, scope);
  compareResponses(operations, scope);
  compareCallbacks(operations, scope);
}

/** The same of two media types or statuses is told once. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const { code, operation, at, message } = finding;
    const key = JSON.stringify([code, operation, at, message]);
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
}
