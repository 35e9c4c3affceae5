/**
 * What a value that is written as text is read as; `json` is whatever its text says. A list is a union: the text becomes the
 * first of its types that it is a form of, an array when it is more than one text or no form of the others, and an object
 * where it has names.
 */
export type ValueType =
  PlainType | "json" | ArrayType | ObjectType | readonly (PlainType | ArrayType | ObjectType)[];

export type PlainType = "null" | "boolean" | "integer" | "number" | "string";

export interface ArrayType {
  readonly items: ValueType;
}

export interface ObjectType {
  /** Default: none. */
  readonly properties?: Readonly<Record<string, ValueType>>;
  /** Type of the properties that are not declared. Absent: there are no others. */
  readonly additionalProperties?: ValueType;
}

/** In the order in which a text is tried as one of them: from the type with the fewest forms to that of every text. */
export const PLAIN_TYPES: readonly PlainType[] = ["null", "boolean", "integer", "number", "string"];

export function isArrayType(type: ValueType): type is ArrayType {
  return typeof type === "object" && "items" in type;
}

export function isObjectType(type: ValueType): type is ObjectType {
  return typeof type === "object" && !Array.isArray(type) && !("items" in type);
}

/** Whether a value of the type is one text that nothing divides. */
export function isPlain(type: ValueType): type is PlainType | "json" | readonly PlainType[] {
  return typeof type === "string" || (Array.isArray(type) && type.every((one) => typeof one === "string"));
}
