import { getValue } from "../document/pointer.js";

/** A compiled JSON Schema; the subset of Ajv's interface that is needed. */
export interface Validate {
  (value: unknown): unknown;
  errors?: readonly ValidatorError[] | null;
}

/** The members of Ajv's errors that are read. */
export interface ValidatorError {
  /** JSON pointer of the value: `/size`; empty for the whole. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The property whose name is invalid. Absent when a value is invalid. */
  readonly propertyName?: string;
  /** The keyword's value. */
  readonly schema?: unknown;
  /** The value that is invalid. */
  readonly data?: unknown;
  /** The schema that has the keyword. */
  readonly parentSchema?: unknown;
}

/** A problem of a value, in words. */
export interface SchemaProblem {
  /** Names and indexes that lead to it. */
  readonly path: readonly string[];
  /** Completes `Field "size" …`. */
  readonly text: string;
  /** The number of further problems, which are only counted. */
  readonly more?: number | undefined;
}

/** `/tags/0` has `tags` and `0`. */
export function toKeys(pointer: string): readonly string[] {
  const keys = pointer.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Formats one error in words. Each property that is missing is a problem of its own. */
export function formatError(error: ValidatorError): readonly SchemaProblem[] {
  const { keyword, params, schema, data } = error;
  const path = toKeys(error.instancePath);
  if (keyword !== "required" && keyword !== "dependentRequired") return [formatOne(error, path)];
  const property = params["property"] as string;
  const names = (keyword === "required" ? schema : getValue(schema, property)) as readonly string[];
  const text = keyword === "required" ? "is required" : `is required beside "${property}"`;
  return names
    .filter((name) => getValue(data, name) === undefined)
    .map((name) => ({ path: [...path, name], text }));
}

/** Formats one error; a property that is unknown is what the problem is about. */
function formatOne(
  { keyword, params, message, schema }: ValidatorError,
  path: readonly string[],
): SchemaProblem {
  const within = (name: unknown, text: string): SchemaProblem => ({ path: [...path, String(name)], text });
  switch (keyword) {
    case "additionalProperties":
      return within(params["additionalProperty"], "is unknown");
    case "unevaluatedProperties":
      return within(params["unevaluatedProperty"], "is unknown");
    case "propertyNames":
      return within(params["propertyName"], "has a name that is not allowed");
    case "type":
      return { path, text: `must be ${listTypes(typesOf(params["type"]))}` };
    case "const":
      return { path, text: `must be ${show(params["allowedValue"])}` };
    case "enum":
      return { path, text: oneOfValues(params["allowedValues"] as readonly unknown[]) };
    case "multipleOf":
      return { path, text: `must be a multiple of ${String(schema)}` };
    case "uniqueItems":
      return {
        path,
        text: `must not have the same item twice, at ${String(params["j"])} and ${String(params["i"])}`,
      };
    case "false schema":
      return { path, text: "is not allowed" };
    default:
      return { path, text: inWords(message ?? "is invalid") };
  }
}

/** More characters of values are not shown. */
const MAX_LENGTH_OF_VALUES = 500;

/** `must be one of a, b, null`, each value once; of many values the first ones. */
export function oneOfValues(values: readonly unknown[]): string {
  const texts = [...new Set(values.map(show))];
  let length = 0;
  const shown = texts.filter((text, index) => (length += text.length) <= MAX_LENGTH_OF_VALUES || index === 0);
  const more = texts.length > shown.length ? ` or ${texts.length - shown.length} others` : "";
  return `must be ${texts.length > 1 ? "one of " : ""}${shown.join(", ")}${more}`;
}

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The types that a `type` keyword allows. */
export function typesOf(type: unknown): readonly string[] {
  return ([] as unknown[]).concat(type).map(String);
}

/** `a string, an integer or null` */
export function listTypes(types: readonly string[]): string {
  const names = [...new Set(types)].map((type) => {
    if (type === "null") return type;
    return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
  });
  return names.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** Beginnings of the validator's messages as a reader would put them; the ones that already read well stay. */
const IN_WORDS: ReadonlyMap<string, string> = new Map([
  ["must be <= ", "must be at most "],
  ["must be >= ", "must be at least "],
  ["must be < ", "must be less than "],
  ["must be > ", "must be more than "],
  ["must NOT ", "must not "],
]);

function inWords(message: string): string {
  return message.replace(/^must (?:be [<>]=?|NOT) /, (start) => IN_WORDS.get(start) ?? start);
}
