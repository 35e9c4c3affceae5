import { isObjectType, isPlain, type ObjectType, type ValueType } from "./value-type.js";

export type ParameterLocation = "path" | "query" | "header" | "cookie";

/** @see https://spec.openapis.org/oas/v3.1.1#style-values */
export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** How a value is written as text: a parameter, or a field of a form. */
export interface Written {
  readonly style: ParameterStyle;
  /** Whether an array's items, or an object's properties, are written one by one: `a=1&a=2` and not `a=1,2`. */
  readonly explode: boolean;
}

/** Where a value with a style is; the styles of a form's fields are those of a query. */
export type StyledLocation = ParameterLocation | "form";

const STYLES: Readonly<Record<StyledLocation, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
  form: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
};

/** The style of a parameter or field that states none. */
export function defaultStyle(place: StyledLocation): ParameterStyle {
  return place === "path" || place === "header" ? "simple" : "form";
}

/** @returns what is wrong with a style that its place does not have, completing `Cannot read the parameter "filter": …`. */
export function findPlaceProblem(place: StyledLocation, style: string): string | undefined {
  const styles: readonly string[] = STYLES[place];
  if (styles.includes(style)) return undefined;
  const owner = place === "form" ? "form field" : `${place} parameter`;
  return `style "${style}" is not one of ${styles.join(", ")}, the styles of a ${owner}`;
}

/**
 * Tells why a value cannot be written in a style; undefined when it can. Beyond the specification's table, what is common
 * practice is accepted: `deepObject` with whatever brackets can say, arrays as properties of an exploded object, and the
 * delimited styles exploded, which is then as `form`. A plain value has nothing to delimit.
 * @returns what completes `… is read as JSON: `.
 * @see https://spec.openapis.org/oas/v3.1.1#style-examples
 */
export function findStyleProblem({ style, explode }: Written, type: ValueType): string | undefined {
  if (style === "deepObject" || isPlain(type)) return undefined;
  if (Array.isArray(type) && (type as readonly ValueType[]).some(isObjectType))
    return `in style "${style}" its text does not tell whether it is an object or something else`;
  const inPairs = style === "form" || style.endsWith("Delimited");
  return isFlat(type, inPairs && explode)
    ? undefined
    : `style "${style}" cannot hold arrays or objects in others`;
}

/** Types of the items of an array and of the properties of an object. */
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

/** Whether nothing is deeper than one level; in an exploded object a property may be an array, whose name is repeated. */
function isFlat(type: ValueType, exploded: boolean): boolean {
  if (exploded && isObjectType(type))
    return partsOf(type).every((part) => !isObjectType(part) && isFlat(part, false));
  return partsOf(type).every(isPlain);
}
