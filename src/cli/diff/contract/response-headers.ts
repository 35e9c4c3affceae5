import { STABLE } from "tenon/core/document";
import type { Response, ResponseHeader } from "tenon/core/model";
import { pairByName, type Sides } from "../sides.js";
import { reportChange, type Scope } from "./scope.js";
import { compareLifecycle, explainRemoval, isPast, withPromise } from "./lifecycle.js";
import { toConjunction } from "../schema/index.js";
import { compareSchemas } from "./schemas.js";

const HEADER = {
  deprecated: "response-header-deprecated",
  undeprecated: "response-header-undeprecated",
} as const;

/** Compares the headers of a response. */
export function compareHeaders(responses: Sides<Response>, owner: string, scope: Scope): void {
  const base = byName(responses.base);
  const revision = byName(responses.revision);
  for (const pair of pairByName(base, revision)) {
    const name = `header "${(pair.revision ?? pair.base)?.name ?? ""}"`;
    if (pair.base && pair.revision) {
      compareHeader({ base: pair.base, revision: pair.revision }, `The ${name} of ${owner}`, scope);
    } else if (pair.revision) {
      const at = { revision: pair.revision };
      reportChange("response-header-added", { message: `${capital(owner)} has the ${name}`, at }, scope);
    } else if (pair.base) {
      reportRemoved(pair.base, `${capital(owner)} no longer has the ${name}`, scope);
    }
  }
}

function reportRemoved(header: ResponseHeader, message: string, outer: Scope): void {
  const scope = withinHeader(header, outer);
  const { lifecycle = STABLE } = header;
  const code = isPast(lifecycle, scope)
    ? "response-header-removed-after-sunset"
    : header.required
      ? "response-required-header-removed"
      : "response-header-removed";
  reportChange(code, { message, at: { base: header }, ...explainRemoval(lifecycle, scope) }, scope);
}

/** A header may be less stable than its operation. */
function withinHeader({ name, lifecycle = STABLE }: ResponseHeader, scope: Scope): Scope {
  return withPromise(lifecycle.stability, `the header "${name}"`, scope);
}

function compareHeader(pair: Sides<ResponseHeader>, name: string, outer: Scope): void {
  const { base, revision } = pair;
  const scope = withinHeader(base, outer);
  if (base.required !== revision.required) {
    const { required } = revision;
    const code = required ? "response-header-became-required" : "response-header-became-optional";
    reportChange(code, { message: `${name} became ${required ? "required" : "optional"}`, at: pair }, scope);
  }
  compareLifecycle(pair, { name, ...HEADER }, scope);
  compareSchemas(
    { base: toConjunction(base.schema), revision: toConjunction(revision.schema) },
    { direction: "response", name },
    scope,
  );
}

function byName({ headers }: Response): ReadonlyMap<string, ResponseHeader> {
  return new Map(headers.map((header) => [header.name.toLowerCase(), header]));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
