import { collectTexts, type Stability } from "tenon/core/document";
import { type Contract, type Operation, toOperationLabel } from "tenon/core/model";
import type { Finding } from "../change.js";
import { CODES, findPolicyLevel, type Policy } from "../codes/index.js";
import { CounterexampleSearch } from "../counterexample/search.js";
import { SchemaGraph } from "../schema/graph.js";
import type { Sides } from "../sides.js";
import { compareRequestBodies } from "./bodies.js";
import { compareCallbacks, compareWebhooks } from "./callbacks-and-webhooks.js";
import { compareLifecycle, reportRemoval, withPromise } from "./lifecycle.js";
import { findMovedPaths, findShadowed, pairOperations } from "./operation-pairs.js";
import { compareParameters } from "./parameters.js";
import { compareResponses } from "./responses.js";
import { type Comparison, reportChange, type Scope } from "./scope.js";
import { compareSecurity, compareSecuritySchemes, type SchemeNames } from "./security.js";
import { compareOwnServers, compareServers } from "./servers.js";
import { compareTools } from "./tools.js";

export interface CompareOptions {
  /** Sunsets are compared with this instant, in milliseconds since 1970. */
  readonly now: number;
  /**
   * The lowest `x-stability-level` whose changes can be breaking; changes of less stable operations, parameters, headers
   * and properties are risky at most. Default: `beta`, as oasdiff's `--stability-level`.
   */
  readonly stabilityLevel?: Stability | undefined;
  /** Default: `default`. */
  readonly policy?: Policy | undefined;
}

/**
 * Compares two contracts by their meaning.
 * @param contracts Contracts of OpenAPI 3.0, 3.1 or 3.2, in any combination.
 * @returns Every difference, once per operation, in the order of the base.
 */
export async function compareContracts(
  contracts: Sides<Contract>,
  { now, stabilityLevel = "beta", policy = "default" }: CompareOptions,
): Promise<readonly Finding[]> {
  const registries = { base: contracts.base.registry, revision: contracts.revision.registry };
  const search = new CounterexampleSearch(registries);
  const schemas = {
    request: new SchemaGraph(registries, "request"),
    response: new SchemaGraph(registries, "response"),
  };
  const movedPaths = findMovedPaths(contracts);
  const compare = () => listFindings({ contracts, schemas, search, movedPaths, now, stabilityLevel, policy });
  try {
    const findings = compare();
    // Only the search waits for the validator; the second comparison knows its results.
    const decided = (await search.run()) ? compare() : findings;
    const shown: Finding[] = [];
    for (const finding of decided) shown.push(await illustrate(finding, policy));
    return shown;
  } finally {
    search.close();
  }
}

/** Adds a value that shows a breaking change, if one is found. The level stays as it is. */
async function illustrate({ illustrate: find, ...finding }: Finding, policy: Policy): Promise<Finding> {
  const { code, because, counterexample } = finding;
  const level = finding.level ?? findPolicyLevel(policy, code) ?? CODES[code]?.level;
  if (level !== "breaking" || counterexample !== undefined) return finding;
  return { ...finding, ...(await find?.(because)) };
}

function listFindings(options: Omit<Comparison, "report">): readonly Finding[] {
  const findings: Finding[] = [];
  const comparison: Comparison = { ...options, report: (finding) => findings.push(finding) };
  compareInfoVersions(comparison);
  compareTexts(comparison);
  compareServers(comparison);
  const names = compareSecuritySchemes(comparison);
  for (const { base, revision } of pairOperations(comparison)) {
    const shown = revision ?? base;
    const operation = shown && toOperationLabel(shown);
    const scope = withPromise(base?.lifecycle, "the operation", { ...comparison, operation });
    if (base && revision) compareOperation({ base, revision }, names, scope);
    else if (base) {
      const message = `${operation} was removed`;
      const afterSunset = "operation-removed-after-sunset";
      reportRemoval(base, { code: "operation-removed", afterSunset, message }, scope);
    } else if (revision) reportAdded(revision, scope);
  }
  compareTools(comparison);
  compareWebhooks(comparison);
  return unique(findings);
}

function compareOperation(operations: Sides<Operation>, names: SchemeNames, scope: Scope): void {
  compareMetadata(operations, scope);
  compareLifecycle(operations, { name: "The operation", kind: "operation" }, scope);
  compareOwnServers(operations, scope);
  compareSecurity(operations, names, scope);
  compareParameters(operations, scope);
  compareRequestBodies(operations, scope);
  compareResponses(operations, scope);
  compareCallbacks(operations, scope);
}

function reportAdded(operation: Operation, scope: Scope): void {
  const message = `${toOperationLabel(operation)} is new`;
  const shadowed = findShadowed(operation, scope);
  const because = shadowed && `${toOperationLabel(shadowed)} had its requests before.`;
  const change = { message, at: { revision: operation } };
  reportChange("operation-added", because ? { ...change, level: "risky", because } : change, scope);
}

function compareMetadata(at: Sides<Operation>, scope: Scope): void {
  const [before, after] = [at.base, at.revision].map(({ hasId, id }) => (hasId ? id : undefined));
  if (before !== after) {
    const [change, message] =
      before === undefined
        ? (["added", "The operation has an operationId"] as const)
        : after === undefined
          ? (["removed", `The operationId "${before}" was removed`] as const)
          : (["changed", `The operationId "${before}" is now "${after}"`] as const);
    reportChange(`operation-id-${change}`, { message, at, before, after }, scope);
  }
  const [old, current] = [at.base.tags, at.revision.tags];
  for (const tag of current.filter((name) => !old.includes(name))) {
    const message = `The operation has the tag "${tag}"`;
    reportChange("operation-tag-added", { message, at, after: tag }, scope);
  }
  for (const tag of old.filter((name) => !current.includes(name))) {
    const message = `The operation no longer has the tag "${tag}"`;
    reportChange("operation-tag-removed", { message, at, before: tag }, scope);
  }
}

/** Reports all differences between titles, summaries and descriptions as one change. */
function compareTexts(comparison: Comparison): void {
  const { base, revision } = comparison.contracts;
  const before = collectTexts(base.registry.source.document);
  const after = collectTexts(revision.registry.source.document);
  const gone = [...before].filter((text) => !after.has(text)).length;
  const come = [...after].filter((text) => !before.has(text)).length;
  if (gone + come === 0) return;
  const message = `Titles, summaries and descriptions changed: ${come} new, ${gone} removed`;
  reportChange("texts-changed", { message, at: { revision: { pointer: "#" } } }, comparison);
}

function compareInfoVersions(comparison: Comparison): void {
  const { base, revision } = comparison.contracts;
  const [before, after] = [base.version || undefined, revision.version || undefined];
  if (before === after) return;
  const info = { pointer: "#/info/version" };
  const message = `info.version is ${after ?? "missing"} and was ${before ?? "missing"}`;
  reportChange("version-changed", { message, at: { revision: info }, before, after }, comparison);
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
