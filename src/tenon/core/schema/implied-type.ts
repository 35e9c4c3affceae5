const OF_OBJECTS = "properties required additionalProperties patternProperties unevaluatedProperties".split(
  " ",
);
const OF_ARRAYS = ["items", "prefixItems"];

/**
 * Finds the type that a schema implies: a schema with `properties` and without `type` means an object. In JSON Schema such
 * keywords do not restrict other values, so 5 would be valid. Types and validator both add the implied type.
 * @returns undefined when the schema has `type`, `enum` or `const`, or implies nothing.
 */
export function impliedType(schema: Readonly<Record<string, unknown>>): "object" | "array" | undefined {
  if (["type", "enum", "const"].some((key) => schema[key] !== undefined)) return undefined;
  if (OF_OBJECTS.some((key) => schema[key] !== undefined)) return "object";
  return OF_ARRAYS.some((key) => schema[key] !== undefined) ? "array" : undefined;
}
