import { escapeKey, unescapeKey } from "./pointer.js";

const SCHEMAS = "#/components/schemas/";

/** Returns the name of the schema component that a reference refers to, or undefined if it refers to anything else. */
export function toComponentName(reference: unknown): string | undefined {
  if (typeof reference !== "string" || !reference.startsWith(SCHEMAS)) return undefined;
  const key = reference.slice(SCHEMAS.length);
  return key.includes("/") ? undefined : unescapeKey(key);
}

/** Returns the reference to a schema component: `Pet` becomes `#/components/schemas/Pet`. */
export function toComponentReference(name: string): string {
  return SCHEMAS + escapeKey(name);
}
