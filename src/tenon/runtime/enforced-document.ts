import type { ContractDocument } from "./contract-document.js";

/** Members whose value is the contract's data, not a schema. */
const DATA = new Set(["default", "const", "enum", "example", "examples"]);
/** Members that map names of the author's choice to schemas, so that no key below them is a keyword. */
const NAMED_SCHEMAS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "schemas"]);

/**
 * The document as express-openapi-validator is given it, a copy in which every integer stays within ±(2^53 − 1), so that
 * a value is kept exactly or refused, never rounded (RFC 7493, section 2.2): a larger one has already lost digits when
 * the validator sees it.
 */
export function toEnforcedDocument(document: ContractDocument): ContractDocument {
  return copy(document, false) as ContractDocument;
}

function copy(value: unknown, keysAreNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, false));
  if (typeof value !== "object" || value === null) return value;
  // fromEntries defines members, where an assignment to "__proto__" would not.
  const result = Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (keysAreNames) return [key, copy(member, false)];
      return [key, DATA.has(key) ? structuredClone(member as unknown) : copy(member, NAMED_SCHEMAS.has(key))];
    }),
  );
  return keysAreNames ? result : { ...result, ...safeBounds(result) };
}

function safeBounds({ type, minimum, maximum }: Record<string, unknown>): Record<string, unknown> {
  const isInteger =
    type === "integer" || (Array.isArray(type) && type.includes("integer") && !type.includes("number"));
  if (!isInteger) return {};
  return {
    minimum: Math.max(Number(minimum ?? -Infinity), Number.MIN_SAFE_INTEGER),
    maximum: Math.min(Number(maximum ?? Infinity), Number.MAX_SAFE_INTEGER),
  };
}
