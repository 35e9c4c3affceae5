const OF_OBJECTS = "properties required additionalProperties patternProperties unevaluatedProperties".split(
  " ",
);
const OF_ARRAYS = ["items", "prefixItems"];

/**
 * The type that a schema means without saying it: who describes properties means an object. To JSON Schema such keywords say
 * nothing of other values, so that 5 would be valid. Types that allowed it would help nobody, so the validator is told too.
 * @returns undefined when the schema says which values there are, or implies nothing.
 */
export function impliedType(schema: Readonly<Record<string, unknown>>): "object" | "array" | undefined {
  if (["type", "enum", "const"].some((key) => schema[key] !== undefined)) return undefined;
  if (OF_OBJECTS.some((key) => schema[key] !== undefined)) return "object";
  return OF_ARRAYS.some((key) => schema[key] !== undefined) ? "array" : undefined;
}
