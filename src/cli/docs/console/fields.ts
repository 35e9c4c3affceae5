import { getValue } from "tenon/core/document";
import type { MediaType, Parameter } from "tenon/core/model";
import { type JsonType, type Schema } from "tenon/core/schema";
import { flatten, type FlatSchema, type SchemaView } from "../../values/index.js";
import { isJsonText } from "tenon/client/internal";
import { listFiles } from "../../verify/messages/index.js";
import { listFacts } from "../render/schema/facts.js";
import type { SampleValues } from "../samples/sample-values.js";

/** A value of a request that the reader can fill in: a parameter, or a field of a form. */
export interface Field {
  /** `query/limit`, `form/photo` */
  readonly key: string;
  readonly place: Parameter["in"] | "form";
  readonly name: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly kind: "text" | "number" | "choice" | "json" | "file" | "files";
  /** Values of a `choice`. */
  readonly choices: readonly unknown[];
  readonly types: readonly JsonType[];
  /** `integer, 1 to 100, default 20` */
  readonly hint: string;
  /** Text of the empty form. */
  readonly initial: string;
}

/** The sources of a field's limits and its first value. */
export interface FieldSource {
  /** View of requests. */
  readonly view: SchemaView;
  readonly samples: SampleValues;
}

export function toParameterField(parameter: Parameter, { view, samples }: FieldSource): Field {
  const { name, in: place, required, pointer, mediaType, examples, lifecycle } = parameter;
  // The fields of a query string are written as one object.
  const isJson = isJsonText(parameter) || parameter.form !== undefined;
  // A text whose media type a form does not know: XML, for example.
  const schema: Schema = mediaType === undefined || isJson ? parameter.schema : { pointer, type: ["string"] };
  const shape = toShape(flatten(schema, view), view, isJson);
  const [given] = examples;
  const example = given ? given.value : samples.make(schema, name);
  return {
    ...shape,
    key: `${place}/${name}`,
    place,
    name,
    required,
    deprecated: lifecycle?.deprecated ?? false,
    initial: toInitial(example, shape.kind),
  };
}

/** Lists the fields of a form; undefined for a body that is not a form, or whose fields the contract does not name. */
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
    const { lifecycle } = view.registry.resolve(own);
    return {
      ...shape,
      kind,
      key: `form/${name}`,
      place: "form",
      name,
      required,
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
  const kind =
    isJson || (types.length > 0 && types.every((type) => type === "array" || type === "object"))
      ? "json"
      : toPlainKind(types, choices);
  return { types, choices: kind === "choice" ? choices : [], kind, hint: toHint(flat, types) } as const;
}

function toPlainKind(types: readonly JsonType[], choices: readonly unknown[]): Field["kind"] {
  if (choices.length > 0) return "choice";
  const isNumber = types.length > 0 && types.every((type) => type === "integer" || type === "number");
  return isNumber ? "number" : "text";
}

/** Lists the types of the schema, or else those of its alternatives. */
function listTypes(flat: FlatSchema, view: SchemaView): readonly JsonType[] {
  if (flat.type !== undefined) return flat.type;
  const [alternatives = []] = flat.choices ?? [];
  return [...new Set(alternatives.flatMap((schema) => flatten(schema, view).type ?? []))];
}

function listChoices({ enum: values, choices }: FlatSchema, types: readonly JsonType[]): readonly unknown[] {
  if (values !== undefined)
    return values.every((value) => typeof value !== "object" || value === null) ? values : [];
  return types.length === 1 && types[0] === "boolean" && choices === undefined ? [true, false] : [];
}

function toHint(flat: FlatSchema, types: readonly JsonType[]): string {
  const facts = listFacts(flat).map(({ text, code = "" }) => `${text} ${code}`.trimEnd());
  return [types.join(" or "), flat.format, ...facts].filter(Boolean).join(", ");
}

/** A choice is JSON, so that `"1"` differs from `1`. */
function toInitial(example: unknown, kind: Field["kind"]): string {
  if (example === undefined) return "";
  if (kind === "choice") return JSON.stringify(example);
  if (kind === "json" || typeof example === "object") return JSON.stringify(example, null, 2);
  return typeof example === "string" ? example : JSON.stringify(example);
}
