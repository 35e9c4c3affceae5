import { STABLE, type Stability } from "tenon/core/document";
import { type Contract, type Operation, toOperationLabel } from "tenon/core/model";
import type { Finding } from "../change.js";
import { compareRequestBodies } from "./bodies.js";
import { type Comparison, reportChange, type Scope } from "./scope.js";
import { pairByName, type Sides } from "../sides.js";
import { compareLifecycle, OPERATION, reportRemovedOperation, withPromise } from "./lifecycle.js";
import { compareInfoVersions, compareMetadata, compareTexts } from "./metadata.js";
import { compareCallbacks, compareWebhooks } from "./callbacks-and-webhooks.js";
import { compareParameters } from "./parameters.js";
import { compareResponses } from "./responses.js";
import { SchemaGraph } from "../schema/index.js";
import { compareOwnServers, compareServers } from "./servers.js";
import { compareSecurity, compareSecuritySchemes, type SchemeNames } from "./security.js";

/** Parts of a contract that are not compared; every diff lists them. */
export const NOT_COMPARED: readonly string[] = [
  "examples, external documentation, XML and links",
  "extensions other than x-sunset, x-deprecated-since, x-replaced-by and x-stability-level",
  "components that no operation refers to",
  "parameters, statuses and lifecycles of callbacks and webhooks",
  "headers of the parts of a multipart body",
  "lifecycles of the alternatives of oneOf and anyOf",
  "values that two different patterns share, and targets of $dynamicRef",
];

export interface CompareOptions {
  /** Sunsets are compared with this instant, in milliseconds since 1970. */
  readonly now: number;
  /**
   * The lowest `x-stability-level` whose changes can be breaking; changes of less stable operations, parameters, headers
   * and properties are risky at most. Default: `beta`, as oasdiff's `--stability-level`.
   */
  readonly stabilityLevel?: Stability;
}

/**
 * Compares two contracts by their meaning.
 * @param contracts Contracts of OpenAPI 3.0 or 3.1, in any combination.
 * @returns Every difference, once per operation, in the order of the base.
 */
export function compareContracts(
  contracts: Sides<Contract>,
  { now, stabilityLevel = "beta" }: CompareOptions,
): readonly Finding[] {
  const findings: Finding[] = [];
  const registries = { base: contracts.base.registry, revision: contracts.revision.registry };
  const comparison: Comparison = {
    contracts,
    schemas: {
      request: new SchemaGraph(registries, "request"),
      response: new SchemaGraph(registries, "response"),
    },
    now,
    stabilityLevel,
    report: (finding) => findings.push(finding),
  };
  compareInfoVersions(comparison);
  compareTexts(comparison);
  compareServers(comparison);
  const names = compareSecuritySchemes(comparison);
  for (const pair of pairByName(listOperations(contracts.base), listOperations(contracts.revision))) {
    const { base, revision } = pair;
    const shown = revision ?? base;
    const operation = shown ? toOperationLabel(shown) : pair.name;
    const within = { ...comparison, operation };
    const { stability } = base?.lifecycle ?? STABLE;
    const scope = withPromise(stability, "the operation", within);
    if (base && revision) compareOperation({ base, revision }, names, scope);
    else if (revision)
      reportChange("operation-added", { message: `${operation} is new`, at: { revision } }, scope);
    else if (base) reportRemovedOperation(base, scope);
  }
  compareWebhooks(comparison);
  return unique(findings);
}

/** Operations by method and path, without the names of path parameters: `GET /pets/{}`. */
function listOperations({ operations }: Contract): ReadonlyMap<string, Operation> {
  return new Map(
    operations.map((operation) => [toOperationLabel(operation).replace(/\{[^{}]*\}/g, "{}"), operation]),
  );
}

function compareOperation(operations: Sides<Operation>, names: SchemeNames, scope: Scope): void {
  compareMetadata(operations, scope);
  compareLifecycle(operations, OPERATION, scope);
  compareOwnServers(operations, scope);
  compareSecurity(operations, names, scope);
  compareParameters(operations, scope);
  compareRequestBodies(operations, scope);
  compareResponses(operations, scope);
  compareCallbacks(operations, scope);
}

/** A difference that several media types or statuses share is reported once. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const { code, operation, at, message } = finding;
    const key = JSON.stringify([code, operation, at, message]);
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
}
