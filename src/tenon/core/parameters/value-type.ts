/**
 * Type that a text is converted to; `json` parses the text. A list is a union: the text becomes the first type of the list that
 * it can represent, an array if there are several texts or no other type fits, and an object if there are names.
 */
export type ValueType =
  PlainType | "json" | ArrayType | ObjectType | readonly (PlainType | JsonType | ArrayType | ObjectType)[];

export type PlainType = "null" | "boolean" | "integer" | "number" | "string";

export interface ArrayType {
  readonly items: ValueType;
}

export interface ObjectType {
  /** Default: none. */
  readonly properties?: Readonly<Record<string, ValueType>>;
  /** Type of undeclared properties; absent if they are not allowed. */
  readonly additionalProperties?: ValueType;
}

/**
 * JSON beside other types. Its first character decides: a text that starts with `{` is JSON if objects are allowed, one that starts
 * with `[` if arrays are. Every other text has one of the other types.
 */
export interface JsonType {
  readonly json: readonly ("object" | "array")[];
}

/** Plain types in the order in which a text is tried: from the most specific to string, which every text can represent. */
export const PLAIN_TYPES: readonly PlainType[] = ["null", "boolean", "integer", "number", "string"];

export function isArrayType(type: ValueType): type is ArrayType {
  return typeof type === "object" && "items" in type;
}

export function isObjectType(type: ValueType): type is ObjectType {
  return typeof type === "object" && !Array.isArray(type) && !("items" in type) && !("json" in type);
}

/** Finds JSON beside other types. */
export function findJsonType(type: ValueType): JsonType | undefined {
  if (!Array.isArray(type)) return undefined;
  return (type as readonly (ValueType | JsonType)[]).find(isJsonType);
}

export function isJsonType(type: ValueType | JsonType): type is JsonType {
  return typeof type === "object" && "json" in type;
}

/** Tests whether a value of the type is a single text without delimiters. */
export function isPlain(type: ValueType): type is PlainType | "json" | readonly (PlainType | JsonType)[] {
  if (typeof type === "string") return true;
  return (
    Array.isArray(type) &&
    (type as readonly (ValueType | JsonType)[]).every((one) => typeof one === "string" || isJsonType(one))
  );
}
