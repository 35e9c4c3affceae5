import type { Parameter, ParameterStyle, PlainType, ValueType } from "./model.js";

/** The styles of a form's fields are those of a query. */
export type StyledPlace = Parameter["in"] | "form";

const STYLES: Readonly<Record<StyledPlace, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
  form: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
};

/** The style of a parameter or field that states none. */
export function defaultStyle(place: StyledPlace): ParameterStyle {
  return place === "path" || place === "header" ? "simple" : "form";
}

/** @returns what is wrong with a style that its place does not have, completing `Cannot read the parameter "filter": …`. */
export function findPlaceProblem(place: StyledPlace, style: string): string | undefined {
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
export function findStyleProblem(
  { style, explode }: Pick<Parameter, "style" | "explode">,
  type: ValueType,
): string | undefined {
  if (style === "deepObject" || isPlain(type)) return undefined;
  if (Array.isArray(type) && (type as readonly ValueType[]).some(isObject))
    return `in style "${style}" its text does not tell whether it is an object or something else`;
  const inPairs = style === "form" || style.endsWith("Delimited");
  return isFlat(type, inPairs && explode)
    ? undefined
    : `style "${style}" cannot hold arrays or objects in others`;
}

function isPlain(type: ValueType): type is PlainType | "json" | readonly PlainType[] {
  return typeof type === "string" || (Array.isArray(type) && type.every((one) => typeof one === "string"));
}

function isObject(type: ValueType): boolean {
  return !isPlain(type) && !Array.isArray(type) && !("items" in type);
}

/** Types of the items of an array and of the properties of an object. */
function partsOf(type: ValueType): readonly ValueType[] {
  if (typeof type === "string") return [];
  if (Array.isArray(type)) return (type as readonly ValueType[]).flatMap(partsOf);
  if ("items" in type) return [type.items];
  const { properties = {}, additionalProperties } = type as Exclude<typeof type, readonly unknown[]>;
  return [
    ...Object.values(properties),
    ...(additionalProperties === undefined ? [] : [additionalProperties]),
  ];
}

/** Whether nothing is deeper than one level; in an exploded object a property may be an array, whose name is repeated. */
function isFlat(type: ValueType, exploded: boolean): boolean {
  if (exploded && isObject(type))
    return partsOf(type).every((part) => !isObject(part) && isFlat(part, false));
  return partsOf(type).every(isPlain);
}
