import type { Form, FormField } from "../../core/model/index.js";
import type { ParsedValue } from "../../core/parameters/styles/index.js";
import { bracket, nameInside } from "../parameters/names.js";

/** A field as far as its name and its text are concerned. */
export type NamedField = Pick<FormField, "name" | "type"> & Partial<Pick<FormField, "style" | "explode">>;

/** Names a value as the form's sender wrote it: `items`, `0`, `price` is `Field "items[0][price]"`. */
export function nameInForm({ fields }: Form, name: string, inner: readonly string[]): string {
  return nameField(fields.find((one) => one.name === name) ?? { name, type: "file" }, inner);
}

/** Names a field, or something in it: `Field "items[0][price]"`. */
export function nameField(field: NamedField, path: readonly string[]): string {
  const value = findStyled(field);
  return `Field "${value ? nameInside(value, path) : bracket([field.name, ...path])}"`;
}

/** How a field is written; undefined for files, which have no style. */
export function findStyled({
  name,
  type,
  style = "form",
  explode = true,
}: NamedField): ParsedValue | undefined {
  return type === "file" || type === "files" ? undefined : { name, type, style, explode };
}
