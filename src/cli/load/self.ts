import { pathToFileURL } from "node:url";
import type { Document } from "@redocly/openapi-core";
import { getOwn, isNode } from "tenon/core/document";

/** Members whose value is a URI of another part of the description. */
const REFERENCES = ["$ref", "operationRef", "externalValue", "defaultMapping"] as const;

/**
 * Rewrites the references of a document with `$self` to references between files, in place: files are read from where they are. With
 * `$self: https://a.example/api/openapi.yaml`, `https://a.example/api/openapi.yaml#/components` becomes `#/components`, and
 * `/api/shared/pet.yaml` becomes `shared/pet.yaml`. Other URIs stay.
 * @see https://spec.openapis.org/oas/v3.2.0#establishing-the-base-uri
 */
export function resolveSelf({ parsed, source }: Document): void {
  const self = isNode(parsed) ? getOwn(parsed, "$self") : undefined;
  const { absoluteRef } = source;
  const retrieved = /^https?:/.test(absoluteRef) ? absoluteRef : pathToFileURL(absoluteRef).href;
  if (typeof self !== "string" || !URL.canParse(self, retrieved)) return;
  const base = new URL(self, retrieved);
  base.hash = "";
  const toFile = (reference: string): string => toRelative(reference, base) ?? reference;
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isNode(value)) rewrite(value, toFile);
    Object.values(value).forEach(visit);
  };
  visit(parsed);
}

function rewrite(node: Record<string, unknown>, toFile: (reference: string) => string): void {
  for (const key of REFERENCES) {
    const reference = getOwn(node, key);
    if (typeof reference === "string") node[key] = toFile(reference);
  }
  const mapping = getOwn(node, "mapping");
  // The values of a mapping may be names; those are not absolute.
  for (const [key, target] of Object.entries(isNode(mapping) ? mapping : {}))
    if (typeof target === "string" && isAbsolute(target))
      (mapping as Record<string, unknown>)[key] = toFile(target);
  const security = getOwn(node, "security");
  if (Array.isArray(security))
    node["security"] = security.map((requirement) => renameKeys(requirement, toFile));
}

/** The names in a security requirement may be URIs. */
function renameKeys(requirement: unknown, toFile: (reference: string) => string): unknown {
  if (!isNode(requirement) || !Object.keys(requirement).some(isAbsolute)) return requirement;
  const renamed = Object.entries(requirement).map(([key, scopes]) => [toFile(key), scopes]);
  return Object.fromEntries(renamed);
}

function isAbsolute(reference: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:)?\//i.test(reference);
}

/** @returns undefined for a URI of another site, and for one that is relative to the document already. */
function toRelative(reference: string, base: URL): string | undefined {
  if (!URL.canParse(reference, base.href)) return undefined;
  const target = new URL(reference, base);
  const { hash } = target;
  target.hash = "";
  if (target.href === base.href) return hash === "" ? "#" : hash;
  if (!isAbsolute(reference) || target.origin !== base.origin || target.search !== "") return undefined;
  const own = base.pathname.split("/").slice(0, -1);
  const keys = target.pathname.split("/");
  const shared = own.findIndex((part, index) => part !== keys[index]);
  const common = shared < 0 ? own.length : shared;
  const path = [...own.slice(common).map(() => ".."), ...keys.slice(common)].join("/");
  return `${decodeURI(path)}${hash}`;
}
