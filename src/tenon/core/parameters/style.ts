import { isObjectType, isPlain, type ObjectType, type ValueType } from "./value-type.js";

/** `querystring` is the whole query as one value. */
export type ParameterLocation = "path" | "query" | "querystring" | "header" | "cookie";

/** @see https://spec.openapis.org/oas/v3.1.1#style-values */
export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie";

/** Serialization of a value as text, for a parameter or a field of a form. */
export interface Written {
  readonly style: ParameterStyle;
  /** True if the items of an array, or the properties of an object, are separate: `a=1&a=2` and not `a=1,2`. */
  readonly explode: boolean;
}

/** Location of a value with a style; fields of a form have the styles of a query. */
export type StyledLocation = ParameterLocation | "form";

const STYLES: Readonly<Record<StyledLocation, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  querystring: ["form"],
  header: ["simple"],
  cookie: ["form", "cookie"],
  form: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
};

/** Returns the default style of a parameter or field. */
export function defaultStyle(place: StyledLocation): ParameterStyle {
  return place === "path" || place === "header" ? "simple" : "form";
}

/** Tests whether a style is exploded unless `explode` says otherwise. */
export function explodesByDefault(style: string): boolean {
  return style === "form" || style === "cookie";
}

/** @returns the problem of a style that is not allowed at its location; it completes `Cannot read the parameter "filter": …`. */
export function findPlaceProblem(place: StyledLocation, style: string): string | undefined {
  const styles: readonly string[] = STYLES[place];
  if (styles.includes(style)) return undefined;
  const owner = place === "form" ? "form field" : `${place} parameter`;
  return `style "${style}" is not one of ${styles.join(", ")}, the styles of a ${owner}`;
}

/**
 * Finds the reason why a style cannot represent a value; undefined if it can. Common practice beyond the specification's table
 * is accepted: `deepObject` with every value that brackets can represent, arrays as properties of an exploded object, and
 * exploded delimited styles, which equal `form`. A plain value has nothing to delimit.
 * @returns the reason; it completes `… is read as JSON: `.
 * @see https://spec.openapis.org/oas/v3.1.1#style-examples
 */
export function findStyleProblem({ style, explode }: Written, type: ValueType): string | undefined {
  if (style === "deepObject" || isPlain(type)) return undefined;
  if (Array.isArray(type) && (type as readonly ValueType[]).some(isObjectType))
    return `in style "${style}" its text does not show whether it is an object or another type`;
  const inPairs = explodesByDefault(style) || style.endsWith("Delimited");
  return isFlat(type, inPairs && explode)
    ? undefined
    : `style "${style}" cannot hold arrays or objects in others`;
}

/** Lists the types of the items of an array and of the properties of an object. */
function partsOf(type: ValueType): readonly ValueType[] {
  if (typeof type === "string") return [];
  if (Array.isArray(type)) return (type as readonly ValueType[]).flatMap(partsOf);
  if ("items" in type) return [type.items];
  const { properties = {}, additionalProperties } = type as ObjectType;
  return [
    ...Object.values(properties),
    ...(additionalProperties === undefined ? [] : [additionalProperties]),
  ];
}

/** Tests whether a type has one level only; in an exploded object a property may be an array, whose name is repeated. */
function isFlat(type: ValueType, exploded: boolean): boolean {
  if (exploded && isObjectType(type))
    return partsOf(type).every((part) => !isObjectType(part) && isFlat(part, false));
  return partsOf(type).every(isPlain);
}
