import type { Operation, Parameter } from "tenon/core/legacy/model";
import { getMember } from "tenon/core/document/pointer";
import { flatten, type FlatSchema } from "../../values/flatten.js";
import type { SchemaBook } from "../../values/book.js";
import type { JsonType } from "../../values/schema.js";
import {
  type Place,
  type TargetContent,
  type TargetOperation,
  type TargetParameter,
  toParameterKey,
} from "../../verify/target.js";
import { toFirstParagraph } from "./first-paragraph.js";
import type { SampleValues } from "../samples/values.js";

/** One value of a request that a reader can write: a parameter, or a field of a form. */
export interface Field {
  /** `query/limit`, `form/photo` */
  readonly key: string;
  readonly place: Place | "form";
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
  readonly book: SchemaBook;
  readonly samples: SampleValues;
}

export function listParameterFields(
  { parameters }: TargetOperation,
  model: Operation,
  source: FieldSource,
): readonly Field[] {
  const declared = new Map(model.parameters.map((parameter) => [toParameterKey(parameter), parameter]));
  return parameters.map((parameter) =>
    toParameterField(parameter, declared.get(toParameterKey(parameter)), source),
  );
}

function toParameterField(
  parameter: TargetParameter,
  model: Parameter | undefined,
  { book, samples }: FieldSource,
): Field {
  const { name, in: place, required, schema, style, examples } = parameter;
  const shape = toShape(flatten({ $ref: `#/$defs/${schema}` }, book), book, style === "json");
  const [example = samples.make(schema, name)] = examples;
  return {
    ...shape,
    key: toParameterKey(parameter),
    place,
    name,
    required,
    description: toFirstParagraph(model?.description ?? ""),
    deprecated: model?.lifecycle?.deprecated ?? false,
    initial: toInitial(example, shape.kind),
  };
}

/** The fields of a form; undefined for a body that is none, or whose fields the contract does not name. */
export function listFormFields(
  { mediaType, schema, files, examples }: TargetContent,
  model: Operation,
  { book, samples }: FieldSource,
): readonly Field[] | undefined {
  const form = model.requestBody?.mediaTypes.find(({ name }) => name === mediaType)?.form;
  if (typeof form !== "object" || schema === undefined) return undefined;
  const { properties = {} } = flatten({ $ref: `#/$defs/${schema}` }, book);
  const [whole = samples.make(schema, "")] = examples;
  return form.fields.map(({ property: { name, required, schema: described } }) => {
    const file = files !== undefined && Object.hasOwn(files, name) ? files[name] : undefined;
    const flat = flatten(Object.hasOwn(properties, name) ? (properties[name] ?? true) : true, book);
    const shape = toShape(flat, book, false);
    const kind = file === undefined ? shape.kind : file.several ? "files" : "file";
    const example = getMember(whole, name);
    return {
      ...shape,
      kind,
      key: `form/${name}`,
      place: "form",
      name,
      required,
      description: toFirstParagraph(described.description ?? ""),
      deprecated: described.lifecycle?.deprecated ?? false,
      initial: file === undefined ? toInitial(example ?? flat.examples?.[0] ?? flat.default, kind) : "",
    };
  });
}

function toShape(flat: FlatSchema, book: SchemaBook, isJson: boolean) {
  const types = listTypes(flat, book);
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
function listTypes(flat: FlatSchema, book: SchemaBook): readonly JsonType[] {
  if (flat.type !== undefined) return flat.type;
  const [alternatives = []] = flat.choices ?? [];
  return [...new Set(alternatives.flatMap((schema) => flatten(schema, book).type ?? []))];
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

/** A choice is JSON, so that `"1"` is told from `1`. */
function toInitial(example: unknown, kind: Field["kind"]): string {
  if (example === undefined) return "";
  if (kind === "choice") return JSON.stringify(example);
  if (kind === "json" || typeof example === "object") return JSON.stringify(example, null, 2);
  return typeof example === "string" ? example : JSON.stringify(example);
}
