import type { FormFile } from "./form-files.js";
import { HttpError } from "./http-error.js";
import { parseExactJson } from "./json.js";
import type { FieldDescriptor } from "./operation.js";
import { toPlainValue } from "./plain-values.js";
import { ValueProblem } from "./value-problem.js";

/** One value of a form as it was sent: text, or a part's bytes. */
export interface SentField {
  readonly name: string;
  readonly value: string | FormFile;
}

/**
 * Turns what was sent into an object of the declared fields' types. Values are as plain as parameters are: `0x10` is no
 * integer. Fields that are not declared stay, as members of a JSON body do, for the schema to judge.
 * @throws {HttpError} `invalid_body` or `malformed_json`, naming the field.
 */
export function toFormValue(
  sent: readonly SentField[],
  fields: readonly FieldDescriptor[],
): Readonly<Record<string, unknown>> {
  const values = new Map<string, SentField["value"][]>();
  for (const { name, value } of sent) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
  }
  const declared = new Map(fields.map((field) => [field.name, field]));
  // fromEntries defines members, where an assignment to "__proto__" would not.
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, toFieldValue(list, declared.get(name), name)]),
  );
}

function toFieldValue(
  sent: readonly SentField["value"][],
  field: FieldDescriptor | undefined,
  name: string,
): unknown {
  if (field === undefined) return sent.length === 1 ? sent[0] : sent;
  const { delimiter } = field;
  const split = delimiter === undefined ? sent : sent.flatMap((value) => splitItems(value, delimiter));
  const values = split.map((value) => toItem(value, field));
  if (field.array === true) return values;
  if (values.length > 1) refuse(name, "must not be repeated");
  return values[0];
}

function splitItems(value: SentField["value"], delimiter: string): readonly SentField["value"][] {
  return typeof value === "string" ? value.split(delimiter) : [value];
}

function toItem(value: SentField["value"], { name, type }: FieldDescriptor): unknown {
  if (typeof value !== "string") return value;
  if (type === "json") return parseField(value, name);
  if (type === "file") return refuse(name, "must be a file");
  try {
    return toPlainValue(value, type);
  } catch (error) {
    if (error instanceof ValueProblem) refuse(name, error.message);
    throw error;
  }
}

function parseField(text: string, name: string): unknown {
  try {
    return parseExactJson(Buffer.from(text, "utf8"));
  } catch (cause) {
    const message = (cause as Error).message.replace(/^The body/, `Field "${name}"`);
    throw new HttpError("malformed_json", { message, cause });
  }
}

function refuse(name: string, problem: string): never {
  throw new HttpError("invalid_body", { message: `Field "${name}" ${problem}` });
}
