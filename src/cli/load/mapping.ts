import { toKey } from "tenon/core/legacy/discriminator";
import { getSchemas, isNode } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";

/**
 * Writes a discriminator's `mapping` by bare component names as references, in place: Redocly takes a bare name for a file,
 * which it then misses. `{ cat: Cat }` becomes `{ cat: "#/components/schemas/Cat" }`.
 * @param document As it was parsed; only names of its own components are recognised.
 * @see https://spec.openapis.org/oas/v3.1.0#discriminator-object
 */
export function nameMappings(document: unknown): void {
  const schemas = isNode(document) ? getSchemas(document) : {};
  // A YAML alias is its anchor's object again, and an anchor can contain its alias.
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const discriminator = isNode(value) ? getOwn(value, "discriminator") : undefined;
    const mapping = isNode(discriminator) ? getOwn(discriminator, "mapping") : undefined;
    for (const [key, target] of Object.entries(isNode(mapping) ? mapping : {})) {
      if (typeof target !== "string" || !Object.hasOwn(schemas, target)) continue;
      (mapping as Record<string, unknown>)[key] = `#/components/schemas/${toKey(target)}`;
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(document);
}
