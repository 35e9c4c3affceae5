import type { SchemasByUri } from "../validation/eov.js";

/** Writes a value as `JSON.stringify` does; members that a schema declares come first, in its order. */
export type WriteJson = (value: unknown) => string;

type Schema = Readonly<Record<string, unknown>>;

/**
 * Compiles writers from schemas. A schema says what to expect and nothing more: whatever a value is not as expected, by a type, a
 * prototype or a member that nobody declares, is written by `JSON.stringify`. A writer so never changes what is sent.
 * @param schemas What `$ref` refers to, by URI.
 * @returns undefined for a schema that expects nothing which is faster than `JSON.stringify`.
 */
export function createWriterCompiler(
  schemas: SchemasByUri,
): (schema: object | boolean) => WriteJson | undefined {
  return (schema) => {
    const source = new WriterSource(schemas);
    const written = source.expression(schema, "value");
    if (written === undefined) return undefined;
    // The text is made of names and of code in this file; names are in it as JSON only.
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- as the validators are
    const create = new Function(
      "isPlain",
      "fallback",
      `${source.functions.join("\n")}\nreturn (value) => ${written};`,
    );
    return (create as (...helpers: unknown[]) => WriteJson)(isPlain, fallback);
  };
}

/** How a variable is written: program text. */
interface Written {
  /** Whether the variable holds what is expected. */
  readonly check: string;
  /** Its JSON, if it does: constant text, or an expression that is text or becomes it. */
  readonly parts: readonly Part[];
  /** What has to be worked out before `check`. */
  readonly before?: string;
}

type Part = { readonly text: string } | { readonly code: string };

/** Program text that writes values of schemas. */
class WriterSource {
  readonly functions: string[] = [];
  readonly #names = new Map<unknown, string>();
  readonly #schemas: SchemasByUri;

  constructor(schemas: SchemasByUri) {
    this.#schemas = schemas;
  }

  /**
   * An expression whose value is the JSON of `value`, a variable, or undefined where it has none.
   * @returns undefined where nothing is expected.
   */
  expression(schema: unknown, value: string): string | undefined {
    const call = this.#call(schema, value);
    if (call !== undefined) return call;
    const written = writePlain(schema, value);
    return written && `(${written.check} ? ${join([{ text: "" }, ...written.parts])} : fallback(${value}))`;
  }

  /** What is written by a function of its own. */
  #call(schema: unknown, value: string): string | undefined {
    const type = toType(schema);
    if (type === undefined) return undefined;
    const called =
      type.name === "$ref"
        ? this.#referred(type.schema["$ref"] as string, value)
        : type.name === "array"
          ? this.#array(type.schema["items"], value)
          : type.name === "object"
            ? this.#object(type.schema, value)
            : undefined;
    return called !== undefined && type.isNullable ? `(${value} === null ? "null" : ${called})` : called;
  }

  #referred(reference: string, value: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return `${known}(${value})`;
    const schema = this.#schemas.get(reference);
    // Named first, because the schema may refer to itself.
    const name = `write${this.#names.size}`;
    this.#names.set(reference, name);
    const written = this.expression(schema, "value") ?? "fallback(value)";
    this.functions.push(`function ${name}(value) { return ${written}; }`);
    return `${name}(${value})`;
  }

  #array(items: unknown, value: string): string | undefined {
    const written = this.expression(items, "item");
    if (written === undefined) return undefined;
    const name = `writeList${this.functions.length}`;
    this.functions.push(`function ${name}(list) {
  if (!Array.isArray(list) || list.toJSON !== undefined) return fallback(list);
  let text = "[";
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    const written = ${written};
    if (index > 0) text += ",";
    text += written === undefined ? "null" : written;
  }
  return text + "]";
}`);
    return `${name}(${value})`;
  }

  #object({ properties, required }: Schema, value: string): string | undefined {
    const declared = Object.entries((properties ?? {}) as Schema);
    // Reading a member called `__proto__` may find the prototype.
    if (declared.length === 0 || declared.some(([key]) => key === "__proto__")) return undefined;
    const name = `writeObject${this.functions.length}`;
    const slot = this.functions.push("") - 1;
    const always = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
    // What is always there comes first: it needs no look at what stands before it.
    const members = [
      ...declared.filter(([key]) => always.has(key)),
      ...declared.filter(([key]) => !always.has(key)),
    ].map(([key, schema], index) => {
      const member = `member${index}`;
      return { key, member, isRequired: always.has(key), ...this.#member(schema, member, `written${index}`) };
    });
    const hasRequired = members[0]?.isRequired === true;
    const parts = members.flatMap<Part>(({ key, member, isRequired, parts: own }, index) => {
      const label = { text: `${index === 0 && hasRequired ? "{" : ","}${JSON.stringify(key)}:` };
      const end = { text: index === members.length - 1 && hasRequired ? "}" : "" };
      if (isRequired) return [label, ...own, end];
      return [{ code: `(${member} === undefined ? ${join([end])} : ${join([label, ...own, end])})` }];
    });
    this.functions[slot] = `function ${name}(object) {
  if (typeof object !== "object" || object === null) return fallback(object);
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return fallback(object);
  let count = ${members.filter(({ isRequired }) => isRequired).length};
${members.map(readMember).join("\n")}
  for (const key in object) count--;
  if (count !== 0) return fallback(object);
  ${
    hasRequired
      ? `return ${join(parts)};`
      : `const text = ${join([{ text: "" }, ...parts])};
  return text === "" ? "{}" : "{" + text.slice(1) + "}";`
  }
}`;
    return `${name}(${value})`;
  }

  #member(schema: unknown, member: string, written: string): Written {
    const called = this.#call(schema, member);
    const plain = called === undefined ? writePlain(schema, member) : undefined;
    return (
      plain ?? {
        before: `const ${written} = ${called ?? `fallback(${member})`};`,
        check: `${written} !== undefined`,
        parts: [{ code: written }],
      }
    );
  }
}

function readMember({
  key,
  member,
  isRequired,
  before = "",
  check,
}: Written & { readonly key: string; readonly member: string; readonly isRequired: boolean }): string {
  const read = `  const ${member} = object[${JSON.stringify(key)}];`;
  if (isRequired)
    return `${read}\n  ${before}\n  if (${member} === undefined || !(${check})) return fallback(object);`;
  return `${read}\n  ${before}\n  if (${member} !== undefined) {
    if (!(${check})) return fallback(object);
    count++;
  }`;
}

/** What is written without a function of its own: text, numbers and truth values. */
function writePlain(schema: unknown, value: string): Written | undefined {
  const type = toType(schema);
  const written = type && writeType(type, value);
  if (written === undefined || !type?.isNullable) return written;
  return {
    check: `(${value} === null || ${written.check})`,
    parts: [{ code: `(${value} === null ? "null" : ${join([{ text: "" }, ...written.parts])})` }],
  };
}

function writeType({ name, schema }: SchemaType, value: string): Written | undefined {
  switch (name) {
    case "string":
      return {
        check: checkText(schema["enum"], value),
        parts: [{ text: '"' }, { code: value }, { text: '"' }],
      };
    case "integer":
    case "number":
      // What is subtracted from itself is 0, but for the infinities and NaN.
      return {
        check: `(typeof ${value} === "number" && ${value} - ${value} === 0)`,
        parts: [{ code: value }],
      };
    case "boolean":
      return { check: `typeof ${value} === "boolean"`, parts: [{ code: value }] };
    default:
      return undefined;
  }
}

/** One of a few texts that are known is found sooner than one is searched. */
function checkText(texts: unknown, value: string): string {
  const isKnown =
    Array.isArray(texts) &&
    texts.length > 0 &&
    texts.length <= 8 &&
    texts.every((text: unknown) => typeof text === "string" && isPlain(text));
  if (isKnown) return `(${texts.map((text) => `${value} === ${JSON.stringify(text)}`).join(" || ")})`;
  return `(typeof ${value} === "string" && isPlain(${value}))`;
}

interface SchemaType {
  /** The one type beside `null`, or `$ref`. */
  readonly name: string;
  readonly schema: Schema;
  readonly isNullable: boolean;
}

function toType(schema: unknown): SchemaType | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { $ref: reference, type } = schema as Schema;
  if (typeof reference === "string") return { name: "$ref", schema: schema as Schema, isNullable: false };
  const types = ([] as unknown[]).concat(type ?? []);
  const [name, ...others] = types.filter((each) => each !== "null");
  if (typeof name !== "string" || others.length > 0) return undefined;
  return { name, schema: schema as Schema, isNullable: types.includes("null") };
}

/** An expression that puts parts together; constants that are side by side are one. */
function join(parts: readonly Part[]): string {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last !== undefined && "text" in last && "text" in part)
      merged[merged.length - 1] = { text: last.text + part.text };
    else merged.push(part);
  }
  return merged
    .filter((part, index) => !("text" in part) || part.text !== "" || index === 0)
    .map((part) => ("text" in part ? JSON.stringify(part.text) : part.code))
    .join(" + ");
}

/** What is not as expected. Nothing is left of a function, for example, whatever the type of `JSON.stringify` says. */
const fallback = (value: unknown): string | undefined => JSON.stringify(value);

/** Longer texts are searched faster by a pattern. */
const SHORT = 40;
// eslint-disable-next-line no-control-regex -- they are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Whether a text is written as it is, between quotes. */
function isPlain(text: string): boolean {
  if (text.length > SHORT) return !ESCAPED.test(text);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}
