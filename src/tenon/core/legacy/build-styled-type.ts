import { UnreadableSchema } from "./allowed-kinds.js";
import { buildValueType } from "./build-value-type.js";
import { type DocumentContext, type Located, toText } from "./document.js";
import { joinPointer } from "../document/pointer.js";
import type { NamedSchema, ParameterStyle, Schema, ValueType } from "./model.js";
import { defaultStyle, findPlaceProblem, findStyleProblem, type StyledPlace } from "./parameter-style.js";

/** What is written in a style: a parameter, or a field of a form. */
export interface StyledOwner {
  readonly place: StyledPlace;
  /** `parameter "filter"` */
  readonly label: string;
  readonly schema: Schema;
}

export interface StyledType {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly type: ValueType;
}

/**
 * Builds how a value is written and what it is read as. Where its style has no way to write its type, the value is JSON, as
 * with `content`, and a warning says so.
 * @param located Of what has `style` and `explode`: a Parameter or Encoding Object.
 * @param fallback What is read instead. Default: the whole value as JSON.
 * @see https://spec.openapis.org/oas/v3.1.1#style-values
 */
export function buildStyledType(
  { node, pointer }: Located,
  { place, label, schema }: StyledOwner,
  { schemas, report }: DocumentContext & { readonly schemas: ReadonlyMap<string, NamedSchema> },
  fallback: () => ValueType = () => "json",
): StyledType {
  const usual = defaultStyle(place);
  const declared = toText(node["style"]);
  const key = declared === undefined && place !== "form" ? "schema" : "style";
  const misplaced = declared === undefined ? undefined : findPlaceProblem(place, declared);
  if (misplaced !== undefined)
    report("parameter-style", joinPointer(pointer, key), `Cannot read the ${label}: ${misplaced}`);
  const style = misplaced === undefined ? ((declared as ParameterStyle | undefined) ?? usual) : usual;
  // Brackets are the same, whatever `explode` says.
  const declaredExplode = style === "deepObject" ? undefined : node["explode"];
  const explode = typeof declaredExplode === "boolean" ? declaredExplode : style === "form";

  const [type, problem] = findType(schema, schemas, { style, explode });
  if (problem === undefined) return { style, explode, type };
  const instead =
    place === "form"
      ? "Leave out `style` and `explode`, which says the same"
      : "Write `content` with application/json, which says the same";
  const canDeepen = style !== "deepObject" && (place === "query" || place === "form");
  const hint = `${instead}${canDeepen ? ", or use style deepObject" : ""}`;
  report("parameter-json", joinPointer(pointer, key), `The ${label} is read as JSON: ${problem}`, hint);
  return { style: usual, explode: usual === "form", type: fallback() };
}

function findType(
  schema: Schema,
  schemas: ReadonlyMap<string, NamedSchema>,
  written: Pick<StyledType, "style" | "explode">,
): readonly [ValueType, problem: string | undefined] {
  try {
    const type = buildValueType(schema, schemas);
    return [type, findStyleProblem(written, type)];
  } catch (error) {
    if (error instanceof UnreadableSchema) return ["json", `its value ${error.message}`];
    throw error;
  }
}
