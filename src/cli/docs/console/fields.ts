import { getValue } from "tenon/core/document";
import type { MediaType, Operation, Parameter } from "tenon/core/model";
import { type JsonType, type Schema } from "tenon/core/schema";
import { flatten, type FlatSchema, type SchemaView } from "../../values/index.js";
import { isJsonText, listFiles } from "../../verify/messages/index.js";
import { toFirstParagraph } from "./first-paragraph.js";
import type { SampleValues } from "../samples/sample-values.js";

/** One value of a request that a reader can write: a parameter, or a field of a form. */
export interface Field {
  /** `query/limit`, `form/photo` */
  readonly key: string;
  readonly place: Parameter["in"] | "form";
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly deprecated: boolean;
  readonly kind: "text" | "number" | "choice" | "json" | "file" | "files";
  /** Of a `choice`. */
  readonly choices: readonly unknown[];
  readonly types: readonly JsonType[];
  /** `integer, 1 to 100, default 20` */
  readonly hint: string;
  /** What stands there at first. */
  readonly initial: string;
}

/** What fields are made with. */
export interface FieldSource {
  /** Of requests. */
  readonly view: SchemaView;
  readonly samples: SampleValues;
}

export function listParameterFields({ parameters }: Operation, source: FieldSource): readonly Field[] {
  return parameters.map((parameter) => toParameterField(parameter, source));
}

function toParameterField(parameter: Parameter, { view, samples }: FieldSource): Field {
  const { name, in: place, required, pointer, mediaType, examples, description = "", lifecycle } = parameter;
  const isJson = isJsonText(parameter);
  // A text whose media type a form does not know: XML, for example.
  const schema: Schema = mediaType === undefined || isJson ? parameter.schema : { pointer, type: ["string"] };
  const shape = toShape(flatten(schema, view), view, isJson);
  const [given] = examples;
  const example = given ? given.value : samples.make(schema, name);
  return {
    ...shape,
    key: toParameterKey(parameter),
    place,
    name,
    required,
    description: toFirstParagraph(description),
    deprecated: lifecycle?.deprecated ?? false,
    initial: toInitial(example, shape.kind),
  };
}

/** `query/limit` */
export function toParameterKey({ in: place, name }: Pick<Parameter, "in" | "name">): string {
  return `${place}/${name}`;
}

/** The fields of a form; undefined for a body that is not a form, or whose fields the contract does not name. */
export function listFormFields(
  content: MediaType,
  { view, samples }: FieldSource,
): readonly Field[] | undefined {
  const { schema, form, examples } = content;
  if (typeof form !== "object" || schema === undefined) return undefined;
  const files = listFiles(content);
  const [given] = examples;
  const whole = given ? given.value : samples.make(schema, "");
  return form.fields.map(({ name, required, schema: own }) => {
    const file = files.get(name);
    const flat = flatten(own, view);
    const shape = toShape(flat, view, false);
    const kind = file === undefined ? shape.kind : file.several ? "files" : "file";
    const { description = "", lifecycle } = own.description === undefined ? view.registry.resolve(own) : own;
    return {
      ...shape,
      kind,
      key: `form/${name}`,
      place: "form",
      name,
      required,
      description: toFirstParagraph(description),
      deprecated: lifecycle?.deprecated ?? false,
      initial:
        file === undefined
          ? toInitial(getValue(whole, name) ?? flat.examples?.[0] ?? flat.default, kind)
          : "",
    };
  });
}

function toShape(flat: FlatSchema, view: SchemaView, isJson: boolean) {
  const types = listTypes(flat, view);
  const choices = listChoices(flat, types);
  const kind = isJson || (types.length > 0 && types.every(isComposed)) ? "json" : toPlainKind(types, choices);
  return { types, choices: kind === "choice" ? choices : [], kind, hint: toHint(flat, types) } as const;
}

function toPlainKind(types: readonly JsonType[], choices: readonly unknown[]): Field["kind"] {
  if (choices.length > 0) return "choice";
  const isNumber = types.length > 0 && types.every((type) => type === "integer" || type === "number");
  return isNumber ? "number" : "text";
}

/** The types of the alternatives where the schema itself says none. */
function listTypes(flat: FlatSchema, view: SchemaView): readonly JsonType[] {
  if (flat.type !== undefined) return flat.type;
  const [alternatives = []] = flat.choices ?? [];
  return [...new Set(alternatives.flatMap((schema) => flatten(schema, view).type ?? []))];
}

function isComposed(type: JsonType): boolean {
  return type === "array" || type === "object";
}

function listChoices({ enum: values, choices }: FlatSchema, types: readonly JsonType[]): readonly unknown[] {
  if (values !== undefined)
    return values.every((value) => typeof value !== "object" || value === null) ? values : [];
  return types.length === 1 && types[0] === "boolean" && choices === undefined ? [true, false] : [];
}

function toHint(flat: FlatSchema, types: readonly JsonType[]): string {
  const { format, minLength, maxLength, minItems, maxItems, pattern, multipleOf } = flat;
  const least = flat.minimum ?? flat.exclusiveMinimum;
  const most = flat.maximum ?? flat.exclusiveMaximum;
  const says = [
    types.join(" or "),
    format,
    toRange(least, most, "", flat.minimum === undefined, flat.maximum === undefined),
    multipleOf === undefined ? undefined : `a multiple of ${multipleOf}`,
    toRange(minLength, maxLength, " characters"),
    toRange(minItems, maxItems, " items"),
    pattern === undefined ? undefined : `matches ${pattern}`,
    flat.default === undefined ? undefined : `default ${JSON.stringify(flat.default)}`,
  ];
  return says.filter((text) => text !== undefined && text !== "").join(", ");
}

function toRange(
  least: number | undefined,
  most: number | undefined,
  unit: string,
  openStart = false,
  openEnd = false,
): string | undefined {
  const from = least === undefined ? undefined : `${openStart ? "more than" : "at least"} ${least}`;
  const to = most === undefined ? undefined : `${openEnd ? "less than" : "at most"} ${most}`;
  const both = [from, to].filter((text) => text !== undefined).join(", ");
  return both === "" ? undefined : both + unit;
}

/** A choice is JSON, so that `"1"` differs from `1`. */
function toInitial(example: unknown, kind: Field["kind"]): string {
  if (example === undefined) return "";
  if (kind === "choice") return JSON.stringify(example);
  if (kind === "json" || typeof example === "object") return JSON.stringify(example, null, 2);
  return typeof example === "string" ? example : JSON.stringify(example);
}
