import type { FieldDescriptor, FormDescriptor } from "../operation.js";
import { bracket, nameInside, type StyledValue, toStyledValue } from "../parameters/styled-value.js";

/** Names a value as the form's sender wrote it: `items`, `0`, `price` is `Field "items[0][price]"`. */
export function nameInForm({ fields }: FormDescriptor, name: string, inner: readonly string[]): string {
  return nameField(fields.find((one) => one.name === name) ?? { name, type: "file" }, inner);
}

/** Names a field, or something in it: `Field "items[0][price]"`. */
export function nameField(field: FieldDescriptor, path: readonly string[]): string {
  const value = findStyled(field);
  return `Field "${value ? nameInside(value, path) : bracket([field.name, ...path])}"`;
}

/** How a field is written; undefined for files, which are in no style. */
export function findStyled({ type, ...written }: FieldDescriptor): StyledValue | undefined {
  return type === "file" || type === "files" ? undefined : toStyledValue({ ...written, type });
}
