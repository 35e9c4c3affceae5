import { collectTexts } from "tenon/core/document";
import type { Contract, Operation } from "tenon/core/model";
import { type Comparison, reportChange, type Scope } from "./scope.js";
import type { Sides } from "../sides.js";

/** Compares operationIds and tags. */
export function compareMetadata(at: Sides<Operation>, scope: Scope): void {
  const [before, after] = [at.base, at.revision].map(({ hasId, id }) => (hasId ? id : undefined));
  const details = { at, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  if (before !== after) {
    if (before === undefined)
      reportChange("operation-id-added", { ...details, message: "The operation has an operationId" }, scope);
    else if (after === undefined)
      reportChange(
        "operation-id-removed",
        { ...details, message: `The operationId "${before}" was removed` },
        scope,
      );
    else
      reportChange(
        "operation-id-changed",
        { ...details, message: `The operationId "${before}" is now "${after}"` },
        scope,
      );
  }
  const [old, current] = [at.base.tags, at.revision.tags];
  for (const tag of current.filter((name) => !old.includes(name)))
    reportChange(
      "operation-tag-added",
      { message: `The operation has the tag "${tag}"`, at, after: tag },
      scope,
    );
  for (const tag of old.filter((name) => !current.includes(name)))
    reportChange(
      "operation-tag-removed",
      { message: `The operation no longer has the tag "${tag}"`, at, before: tag },
      scope,
    );
}

/** Reports all differences between titles, summaries and descriptions as one change. */
export function compareTexts(comparison: Comparison): void {
  const { base, revision } = comparison.contracts;
  const before = collectTexts(base.registry.source.document);
  const after = collectTexts(revision.registry.source.document);
  const gone = [...before].filter((text) => !after.has(text)).length;
  const come = [...after].filter((text) => !before.has(text)).length;
  if (gone + come === 0) return;
  const message = `Titles, summaries and descriptions changed: ${come} new, ${gone} removed`;
  reportChange("texts-changed", { message, at: { revision: { pointer: "#" } } }, comparison);
}

export function compareInfoVersions(comparison: Comparison): void {
  const { base, revision } = comparison.contracts;
  const [before, after] = [readVersion(base), readVersion(revision)];
  if (before === after) return;
  const info = { pointer: "#/info/version" };
  const message = `info.version is ${after ?? "missing"} and was ${before ?? "missing"}`;
  reportChange("version-changed", { message, at: { revision: info }, before, after }, comparison);
}

/** Reads info.version. @returns undefined for a contract without one. */
export function readVersion({ version }: Contract): string | undefined {
  return version === "" ? undefined : version;
}
