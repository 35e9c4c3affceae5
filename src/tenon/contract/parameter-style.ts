import type { Parameter, ParameterStyle, PlainType, ValueType } from "./model.js";

const STYLES: Readonly<Record<Parameter["in"], readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** The style of a parameter that states none. */
export function defaultStyle(place: Parameter["in"]): ParameterStyle {
  return place === "path" || place === "header" ? "simple" : "form";
}

/**
 * Tells why a value cannot be written in a style; undefined when it can. Beyond the specification's table, what is common
 * practice is accepted: `deepObject` with objects in objects and arrays as repeated names, arrays as properties of an
 * exploded object, and the delimited styles exploded, which is then as `form`.
 * @returns what completes `Cannot read the parameter "filter": …`.
 * @see https://spec.openapis.org/oas/v3.1.1#style-examples
 */
export function findStyleProblem(
  parameter: Pick<Parameter, "in" | "style" | "explode">,
  type: ValueType,
): string | undefined {
  const { in: place, style, explode } = parameter;
  if (!STYLES[place].includes(style))
    return `style "${style}" is not one of ${STYLES[place].join(", ")}, the styles of a ${place} parameter`;
  if (style === "deepObject") {
    if (!isObject(type)) return `style "deepObject" is for objects only`;
    return isDeep(type) ? undefined : `its arrays hold more than plain values`;
  }
  if (style.endsWith("Delimited") && isPlain(type)) return `style "${style}" is for arrays and objects only`;
  const exploded = place === "query" || place === "cookie" ? explode : false;
  return isFlat(type, exploded) ? undefined : `style "${style}" cannot hold arrays or objects in others`;
}

function isPlain(type: ValueType): type is PlainType | readonly PlainType[] {
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

function isDeep(type: ValueType): boolean {
  return partsOf(type).every((part) => (isObject(part) ? isDeep(part) : partsOf(part).every(isPlain)));
}
