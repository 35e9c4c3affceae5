import { findAllowed } from "./allowed-kinds.js";
import { buildStyledType } from "./build-styled-type.js";
import { type DocumentContext, type Located, members, toText } from "./document.js";
import { joinPointer } from "../document/pointer.js";
import { findFileType } from "./file-type.js";
import { findFormShape } from "./form-shape.js";
import type { Form, FormField, NamedSchema, Property, Schema } from "./model.js";
import { buildUnstyledType } from "./unstyled-type.js";

/** Whose form it is. */
export interface FormOwner {
  /** `the request body of POST /pets` */
  readonly label: string;
  readonly kind: "form" | "multipart";
  readonly schema: Schema;
}

export interface FormContext extends DocumentContext {
  readonly schemas: ReadonlyMap<string, NamedSchema>;
}

/**
 * Builds what a form is read as. One whose schema is no object has no fields: it is text where its schema has strings, so
 * that the schema can judge it, and bytes otherwise.
 * @see https://spec.openapis.org/oas/v3.1.0#encoding-object
 */
export function buildForm(
  located: Located,
  { label, kind, schema }: FormOwner,
  context: FormContext,
): Form | "text" | "binary" {
  const whole = findWhole(schema, context);
  if (whole !== undefined) {
    const message = `The fields of ${label} are not read, because its schema is no object: it is ${whole === "text" ? "text" : "bytes"} as a whole`;
    context.report(
      "form-whole",
      joinPointer(located.pointer, "schema"),
      message,
      "Declare an object with the form's fields",
    );
    return whole;
  }
  const encodings = new Map(members(located, "encoding").map((encoding) => [encoding.name, encoding]));
  const { properties, additionalProperties } = findFormShape(schema, context.schemas);
  const form = { form: located, kind };
  const fields = properties.map((property) => {
    const owner = { ...form, label: `field "${property.name}" of ${label}` };
    return buildField(property, { ...owner, encoding: encodings.get(property.name) }, context);
  });
  if (additionalProperties === undefined) return { fields };
  const other = { name: "", required: false, schema: additionalProperties };
  const owner = { ...form, label: `value of any other field of ${label}`, encoding: undefined };
  return { fields, others: buildField(other, owner, context) };
}

function findWhole(schema: Schema, { schemas }: FormContext): "text" | "binary" | undefined {
  const allowed = findAllowed(schema, schemas);
  if (allowed === undefined || allowed.object !== undefined) return undefined;
  return allowed.plain.includes("string") && schema.binary !== true ? "text" : "binary";
}

interface FieldOwner extends Pick<FormOwner, "kind"> {
  /** `field "size" of the request body of POST /pets` */
  readonly label: string;
  readonly form: Located;
  readonly encoding: Located | undefined;
}

function buildField(property: Property, owner: FieldOwner, context: FormContext): FormField {
  const { form, encoding, label } = owner;
  const { schema } = property;
  const usual = { property, style: "form", explode: true } as const;
  const mediaTypes = (toText(encoding?.node["contentType"]) ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const file = owner.kind === "multipart" ? findFileType(schema, context.schemas) : undefined;
  if (file !== undefined) return { ...usual, type: file, mediaTypes };

  const unstyled = () => buildUnstyledType(schema, mediaTypes, context.schemas);
  if (encoding !== undefined && (encoding.node["style"] ?? encoding.node["explode"]) !== undefined) {
    const styled = buildStyledType(
      encoding,
      { place: "form", label, schema },
      context,
      () => unstyled().type,
    );
    // What has a style has no media type of its own (OpenAPI 3.1, section 4.8.15.1).
    return { property, ...styled, mediaTypes: [] };
  }
  const { type, problem } = unstyled();
  if (problem !== undefined) {
    context.report(
      "parameter-json",
      joinPointer(form.pointer, "schema"),
      `The ${label} is read as JSON: ${problem.reason}`,
      problem.hint,
    );
  }
  return { ...usual, type, mediaTypes };
}
