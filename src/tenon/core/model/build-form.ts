import { joinPointer } from "../document/pointer.js";
import { findAllowed } from "../parameters/allowed-types.js";
import { describeJson, findUnstyledType } from "../parameters/find-value-type.js";
import { anything, type Schema } from "../schema/schema.js";
import { buildStyledType } from "./build-styled-type.js";
import type { BuildContext } from "./context.js";
import { findByteSize, toFileSchema } from "../schema/byte-size.js";
import type { Encoding, Form, FormField } from "./content.js";
import { findFileType, findFormShape, type FormProperty, isBinary } from "./form-shape.js";

/** The media type that has the form. */
export interface FormOwner {
  /** Pointer of the media type. */
  readonly pointer: string;
  /** `the request body of POST /pets` */
  readonly label: string;
  readonly kind: "form" | "multipart";
  readonly schema: Schema | undefined;
  readonly encoding: readonly Encoding[];
}

/**
 * Builds the fields of a form. A form whose schema is not an object has no fields: it is text if the schema allows strings, so
 * that the schema can validate it, and bytes otherwise.
 * @see https://spec.openapis.org/oas/v3.1.0#encoding-object
 */
export function buildForm(owner: FormOwner, context: BuildContext): Form | "text" | "binary" {
  const { pointer, label, schema = anything(joinPointer(owner.pointer, "schema")) } = owner;
  const whole = findWhole(schema, context);
  if (whole !== undefined) {
    const message = `The fields of ${label} are not read, because its schema is not an object: the body is ${whole === "text" ? "text" : "bytes"} as a whole`;
    const hint = "Declare an object with the form's fields";
    context.report("form-whole", joinPointer(pointer, "schema"), message, hint);
    return whole;
  }
  const { properties, others } = findFormShape(schema, context.registry);
  const fields = properties.map((property) => {
    const encoding = owner.encoding.find(({ name }) => name === property.name);
    return buildField(
      property,
      { ...owner, label: `field "${property.name}" of ${label}`, ...(encoding && { own: encoding }) },
      context,
    );
  });
  if (others === undefined) return { fields };
  const other = { name: "", required: false, schema: others };
  return {
    fields,
    others: buildField(other, { ...owner, label: `value of any other field of ${label}` }, context).type,
  };
}

function findWhole(schema: Schema, { registry }: BuildContext): "text" | "binary" | undefined {
  const allowed = findAllowed(schema, registry);
  if (allowed === undefined || allowed.object !== undefined) return undefined;
  return allowed.plain.includes("string") && !isBinary(schema) ? "text" : "binary";
}

interface FieldOwner extends Pick<FormOwner, "kind" | "pointer"> {
  /** `field "size" of the request body of POST /pets` */
  readonly label: string;
  readonly own?: Encoding;
}

function buildField(property: FormProperty, owner: FieldOwner, context: BuildContext): FormField {
  const { pointer, own, label } = owner;
  const { schema } = property;
  const usual = { ...property, style: "form", explode: true } as const;
  const mediaTypes = (own?.contentType ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const file = owner.kind === "multipart" ? findFileType(schema, context.registry) : undefined;
  if (file !== undefined) {
    const one = toFileSchema(schema, file, context.registry);
    const size = one && findByteSize(one, context.registry);
    return { ...usual, type: file, mediaTypes, ...(size && { size }) };
  }

  const unstyled = () => findUnstyledType(schema, mediaTypes, context.registry);
  if (own !== undefined && (own.style ?? own.explode) !== undefined) {
    const { style, explode } = own;
    const located = { node: { style, explode }, pointer: own.pointer };
    const styled = buildStyledType(
      located,
      { location: "form", label, schema },
      context,
      () => unstyled().type,
    );
    // A field with a style has no media type (OpenAPI 3.1, section 4.8.15.1).
    return { ...property, ...styled, mediaTypes: [] };
  }
  const { type, problem } = unstyled();
  if (problem !== undefined) {
    const message = `The ${label} is ${describeJson(type)}: ${problem.reason}`;
    context.report("parameter-json", joinPointer(pointer, "schema"), message, problem.hint);
  }
  return { ...usual, type, mediaTypes };
}
