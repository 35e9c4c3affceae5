import { type Config, detectSpec } from "@redocly/openapi-core";
import { isNode, type Node, toText } from "tenon/core/legacy/document";
import { getByPointer, getOwn } from "tenon/core/document/pointer";

/**
 * Whether a document is its own bundle: every reference in it leads into itself, and no decorator or preprocessor of
 * redocly.yaml changes it. In doubt it is not, as when a reference leads nowhere, which bundling tells. A reference in an extension,
 * in whose place bundling puts what it leads to, stays: it is data for whoever knows the extension.
 */
export function isSelfContained(document: Node, { decorators, preprocessors }: Config): boolean {
  const version = detectSpec(document);
  const changes = { ...decorators[version], ...preprocessors[version] };
  // Bundling gives every document components.
  if (Object.keys(changes).length > 0 || !isNode(document["components"])) return false;

  const resolved = new Set<string>();
  /** @returns Whether bundling leaves a reference as it is. */
  const isInside = (reference: string): boolean => {
    if (resolved.has(reference)) return true;
    if (getByPointer(document, reference) === undefined) return false;
    resolved.add(reference);
    return true;
  };
  /** Bundling makes a component of any other target, and follows one that is a reference itself. */
  const isComponent = (reference: unknown): boolean => {
    const target = getByPointer(document, toText(reference) ?? "");
    return /^#\/components\/schemas\/[^/]+$/.test(String(reference)) && isNode(target) && !("$ref" in target);
  };

  const seen = new Set<object>();
  const visit = (value: unknown): boolean => {
    // A YAML alias is its anchor's object again, and an anchor can contain its alias.
    if (typeof value !== "object" || value === null || seen.has(value)) return true;
    seen.add(value);
    if (isNode(value)) {
      const { $ref: reference, externalValue, discriminator } = value;
      if (typeof reference === "string" && !isInside(reference)) return false;
      if (externalValue !== undefined) return false;
      const mapping = isNode(discriminator) ? getOwn(discriminator, "mapping") : undefined;
      if (isNode(mapping) && !Object.values(mapping).every(isComponent)) return false;
      if (isNode(discriminator) && "defaultMapping" in discriminator) return false;
    }
    return Object.values(value).every(visit);
  };
  return visit(document);
}
