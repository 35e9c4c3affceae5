import { type Located, members } from "tenon/core/legacy/document";
import { readLifecycle } from "tenon/core/document/lifecycle";
import { pairByName, type Scope, type Sides, tell } from "./comparison.js";
import { compareLifecycle, explainRemoval, isPast, withPromise } from "./lifecycle.js";
import { readSchema } from "./schema/keywords.js";
import { compareSchemas } from "./schemas.js";
import type { View } from "./view.js";

const HEADER = {
  deprecated: "response-header-deprecated",
  undeprecated: "response-header-undeprecated",
} as const;

type Header = Located & { readonly name: string };

/** Compares the headers of a response. `Content-Type` is said by the media types. */
export function compareHeaders(responses: Sides<Located>, owner: string, scope: Scope): void {
  const base = listHeaders(responses.base, scope.views.base);
  const revision = listHeaders(responses.revision, scope.views.revision);
  for (const pair of pairByName(base, revision)) {
    const name = `header "${(pair.revision ?? pair.base)?.name ?? ""}"`;
    if (pair.base && pair.revision) {
      compareHeader({ base: pair.base, revision: pair.revision }, `The ${name} of ${owner}`, scope);
    } else if (pair.revision) {
      const at = { revision: pair.revision };
      tell("response-header-added", { message: `${capital(owner)} has the ${name}`, at }, scope);
    } else if (pair.base) {
      tellRemoved(pair.base, `${capital(owner)} no longer has the ${name}`, scope);
    }
  }
}

function tellRemoved(header: Header, message: string, outer: Scope): void {
  const scope = withinHeader(header, outer);
  const lifecycle = readLifecycle(header.node);
  const code = isPast(lifecycle, scope)
    ? "response-header-removed-after-sunset"
    : isRequired(header)
      ? "response-required-header-removed"
      : "response-header-removed";
  tell(code, { message, at: { base: header }, ...explainRemoval(lifecycle, scope) }, scope);
}

/** Less may be promised of the header than of its operation. */
function withinHeader(base: Header, scope: Scope): Scope {
  return withPromise(readLifecycle(base.node).stability, `the header "${base.name}"`, scope);
}

function compareHeader(pair: Sides<Header>, name: string, outer: Scope): void {
  const { base, revision } = pair;
  const scope = withinHeader(base, outer);
  if (isRequired(base) !== isRequired(revision)) {
    const required = isRequired(revision);
    const code = required ? "response-header-became-required" : "response-header-became-optional";
    tell(code, { message: `${name} became ${required ? "required" : "optional"}`, at: pair }, scope);
  }
  compareLifecycle(pair, { name, ...HEADER }, scope);
  compareSchemas(
    { base: toSchema(base), revision: toSchema(revision) },
    { direction: "response", name },
    scope,
  );
}

function toSchema(header: Header) {
  const [content] = members(header, "content");
  return readSchema(content ?? header, "schema");
}

function isRequired({ node }: Located): boolean {
  return node["required"] === true;
}

function listHeaders(response: Located, view: View): ReadonlyMap<string, Header> {
  return new Map(
    members(response, "headers")
      .filter(({ name }) => name.toLowerCase() !== "content-type")
      .map(({ name, ...header }) => [name.toLowerCase(), { ...view.resolve(header), name }]),
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
