import type { Form, FormField } from "../../core/model/index.js";
import { decodeQueryText, type Pairs } from "../../core/parameters/pairs.js";
import { type ParsedValue, parseFromPairs } from "../../core/parameters/styles/index.js";
import { assertText, toTypedValue } from "../../core/parameters/text-value.js";
import { isJsonType, type ObjectType, type ValueType } from "../../core/parameters/value-type.js";
import { ValueProblem } from "../../core/parameters/value-problem.js";
import {
  bracket,
  createWireNames,
  findUndeclared,
  isExplodedObject,
  nameInside,
} from "../parameters/names.js";
import { readEach, throwProblems } from "../parameters/read-each.js";
import type { ValidationProblem } from "../errors/validation-problems.js";
import type { FormFile, FormValues } from "./form-files.js";

/** A form as it was sent. */
export interface SentForm {
  /** Escaped as those of a query are. */
  readonly texts: Pairs;
  readonly files: ReadonlyMap<string, readonly FormFile[]>;
}

export interface FormReader {
  /** The field that a name on the wire is declared for: `items` for `items[0][price]`. */
  readonly findField: (
    name: string,
  ) => (NamedField & Partial<Pick<FormField, "mediaTypes" | "size">>) | undefined;
  /**
   * Turns what was sent into an object of the declared fields' types, by the rules of parameters in a query.
   * @throws {HttpError} `invalid_body` or `malformed_request`, naming each field that cannot be read.
   */
  readonly read: (sent: SentForm) => FormValues;
}

/** Locates a field, or something in it; the path starts with the name of the field. */
type LocateField = (field: NamedField, path: readonly string[]) => Omit<ValidationProblem, "text">;

const inBody: LocateField = (field, [, ...path]) => ({
  in: "body",
  path: [field.name, ...path],
  subject: nameField(field, path),
});

/**
 * Creates the reader of one form. Undeclared fields are kept for the schema to validate, like members of a JSON body.
 * @param locate Locates a problem. Default: in the body.
 */
export function createFormReader({ fields, others }: Form, locate = inBody): FormReader {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const readers = fields.map((field) => ({ field, read: createFieldReader(field) }));
  const names = createWireNames(fields.map(findStyled).filter((value) => value !== undefined));

  const findField: FormReader["findField"] = (name) =>
    byName.get(names.findOwner(name)?.name ?? name) ?? (others && { name, type: others });

  return {
    findField,
    read: (sent) => {
      const undeclared = findUndeclared(sent.texts, names);
      const rest = [
        ...(names.takesUndeclared ? [] : undeclared),
        ...[...sent.files.keys()].filter((name) => !byName.has(name)),
      ].map((name) => {
        const field: NamedField = { name, type: others ?? "string" };
        const read = others === undefined ? readUndeclared(name) : createFieldReader(field);
        return { field, read: readNamed(name, read) };
      });
      const { values, problems } = readEach([...readers, ...rest], {
        read: ({ read }) => read(sent, undeclared),
        toKey: ({ field }) => field.name,
        locate: ({ field }, path) => locate(field, [field.name, ...path]),
      });
      throwProblems(problems);
      return { ...values };
    },
  };
}

/** @throws {ValueProblem} */
type FieldReader = (sent: SentForm, undeclared: readonly string[]) => unknown;

function createFieldReader(field: NamedField): FieldReader {
  const styled = findStyled(field);
  if (styled === undefined) return ({ files }) => readFiles(field, files.get(field.name));
  const value = toOpenValue(styled);
  return ({ texts }, undeclared) => {
    const wire = parseFromPairs(texts, value, decodeQueryText, undeclared);
    return wire === undefined ? undefined : toTypedValue(wire, value.type);
  };
}

function readFiles({ type }: NamedField, sent: readonly FormFile[] | undefined): unknown {
  if (type === "files" || sent === undefined) return sent;
  if (sent.length > 1) throw new ValueProblem("must be a file, and only once");
  return sent[0];
}

/** The sender chooses the name as well as the value. */
function readNamed(name: string, read: FieldReader): FieldReader {
  return (sent, undeclared) => {
    assertText(name, []);
    return read(sent, undeclared);
  };
}

function readUndeclared(name: string): FieldReader {
  return ({ texts, files }) => {
    const sent = (texts.get(name) ?? []).map((text) => toTypedValue(decodeQueryText(text), "string"));
    const all = [...sent, ...(files.get(name) ?? [])];
    return all.length > 1 ? all : all[0];
  };
}

/** The properties of an exploded object are fields of the form; undeclared ones are left to the form. */
function toOpenValue(value: ParsedValue): ParsedValue {
  return isExplodedObject(value) ? value : { ...value, type: toOpenType(value.type) };
}

/** A type whose objects keep what they do not declare, as text. */
function toOpenType(type: ValueType): ValueType {
  if (typeof type === "string" || isJsonType(type)) return type;
  if (Array.isArray(type)) return (type as readonly ValueType[]).map(toOpenType) as ValueType;
  if ("items" in type) return { items: toOpenType(type.items) };
  const { properties = {}, additionalProperties = ["string", { items: "string" }] } = type as ObjectType;
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, toOpenType(member)]),
    ),
    additionalProperties: toOpenType(additionalProperties),
  };
}

/** The parts of a field that determine its name and its text. */
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
