import type { FieldDescriptor, FormDescriptor } from "./operation.js";
import { bracket, nameInside, type StyledValue, toStyledValue } from "./styled-value.js";
import { toKeys, type ValidationProblem } from "./validation-problems.js";

/** Names values as the form's sender wrote them: `/body/items/0/price` is `Field "items[0][price]"`. */
export function nameInForm(
  problems: readonly ValidationProblem[],
  { fields }: FormDescriptor,
): readonly ValidationProblem[] {
  return problems.map((problem) => {
    const [name, ...inner] = toKeys(problem.path);
    if (name === undefined) return problem;
    const field = fields.find((one) => one.name === name);
    return { ...problem, field: nameField(field ?? { name, type: "file" }, inner) };
  });
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
