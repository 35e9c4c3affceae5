import { type Located, members } from "../contract/document.js";
import { pairByName, type Scope, type Sides, tell } from "./comparison.js";
import { readSchema } from "./schema/keywords.js";
import { compareSchemas } from "./schemas.js";
import type { View } from "./view.js";

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
      const code = isRequired(pair.base) ? "response-required-header-removed" : "response-header-removed";
      tell(code, { message: `${capital(owner)} no longer has the ${name}`, at: { base: pair.base } }, scope);
    }
  }
}

function compareHeader(pair: Sides<Header>, name: string, scope: Scope): void {
  const { base, revision } = pair;
  if (isRequired(base) !== isRequired(revision)) {
    const required = isRequired(revision);
    const code = required ? "response-header-became-required" : "response-header-became-optional";
    tell(code, { message: `${name} became ${required ? "required" : "optional"}`, at: pair }, scope);
  }
  const [before, after] = [base.node["deprecated"] === true, revision.node["deprecated"] === true];
  if (before !== after) {
    const code = after ? "response-header-deprecated" : "response-header-undeprecated";
    tell(code, { message: `${name} is ${after ? "" : "no longer "}deprecated`, at: pair }, scope);
  }
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
