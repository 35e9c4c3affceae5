import { type Located, toText } from "../document/node.js";
import { joinPointer } from "../document/pointer.js";
import { CircularSchemaError } from "../parameters/allowed-types.js";
import { describeJson, findMixedType, findValueType } from "../parameters/find-value-type.js";
import {
  defaultStyle,
  explodesByDefault,
  findPlaceProblem,
  findStyleProblem,
  type ParameterStyle,
  type StyledLocation,
  type Written,
} from "../parameters/style.js";
import type { ValueType } from "../parameters/value-type.js";
import type { SchemaRegistry } from "../schema/registry.js";
import type { Schema } from "../schema/schema.js";
import type { BuildContext } from "./context.js";

/** The owner of a style: a parameter, or a field of a form. */
export interface StyledOwner {
  readonly location: StyledLocation;
  /** `parameter "filter"` */
  readonly label: string;
  readonly schema: Schema;
}

export interface StyledType extends Written {
  readonly type: ValueType;
}

/**
 * Builds the style and the type of a value. If the style cannot represent the type, objects and arrays are JSON, as with `content`,
 * and a warning reports this.
 * @param located The Parameter or Encoding Object that has `style` and `explode`.
 * @param fallback Type of the value in that case. Default: {@link findMixedType}.
 * @see https://spec.openapis.org/oas/v3.1.1#style-values
 */
export function buildStyledType(
  { node, pointer }: Located,
  { location, label, schema }: StyledOwner,
  { registry, report }: BuildContext,
  fallback: () => ValueType = () => findMixedType(schema, registry),
): StyledType {
  const usual = defaultStyle(location);
  const declared = toText(node["style"]);
  const key = declared === undefined && location !== "form" ? "schema" : "style";
  const misplaced = declared === undefined ? undefined : findPlaceProblem(location, declared);
  if (misplaced !== undefined)
    report("parameter-style", joinPointer(pointer, key), `Cannot read the ${label}: ${misplaced}`);
  const style = misplaced === undefined ? ((declared as ParameterStyle | undefined) ?? usual) : usual;
  // `explode` does not change brackets.
  const declaredExplode = style === "deepObject" ? undefined : node["explode"];
  const explode = typeof declaredExplode === "boolean" ? declaredExplode : explodesByDefault(style);

  const [type, problem] = findType(schema, registry, { style, explode });
  if (problem === undefined) return { style, explode, type };
  const used = fallback();
  const same =
    location === "form"
      ? "Leave out `style` and `explode`; it means the same"
      : "Write `content` with application/json; it means the same";
  const canDeepen = style !== "deepObject" && (location === "query" || location === "form");
  // With `content`, plain text would need quotes.
  const hints = [location === "form" || used === "json" ? same : [], canDeepen ? "use style deepObject" : []];
  const message = `The ${label} is ${describeJson(used)}: ${problem}`;
  report("parameter-json", joinPointer(pointer, key), message, toHint(hints.flat()));
  return { style: usual, explode: usual === "form", type: used };
}

function findType(
  schema: Schema,
  registry: SchemaRegistry,
  written: Written,
): readonly [ValueType, problem: string | undefined] {
  try {
    const type = findValueType(schema, registry);
    return [type, findStyleProblem(written, type)];
  } catch (error) {
    if (error instanceof CircularSchemaError) return ["json", `its value ${error.message}`];
    throw error;
  }
}

/** Joins alternatives: `Leave it out, or use style deepObject`. */
function toHint(alternatives: readonly string[]): string | undefined {
  const text = alternatives.join(", or ");
  return text === "" ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}
