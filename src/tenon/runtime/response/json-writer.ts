import { findBesideNull, type Schema, type SchemaRegistry } from "../../core/schema/index.js";

/** Writes a value as `JSON.stringify` does; members that a schema declares come first, in its order. */
export type WriteJson = (value: unknown) => string;

/**
 * Compiles writers from the schemas of responses. A schema says what to expect and nothing more: a value that is not as
 * expected, by a type, a prototype or an undeclared member, is written by `JSON.stringify`. So a writer never changes what is
 * sent.
 * @returns undefined for a schema that expects nothing which is faster than `JSON.stringify`.
 */
export function createWriterCompiler(registry: SchemaRegistry): (schema: Schema) => WriteJson | undefined {
  return (schema) => {
    const source = new WriterSource(registry);
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
  /** Condition that is true when the variable has the expected value. */
  readonly check: string;
  /** Its JSON, if it does: constant text, or an expression that is text or becomes it. */
  readonly parts: readonly Part[];
  /** Statement to run before `check`. */
  readonly before?: string;
}

type Part = { readonly text: string } | { readonly code: string };

/** Program text that writes values of schemas. */
class WriterSource {
  readonly functions: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #registry: SchemaRegistry;

  constructor(registry: SchemaRegistry) {
    this.#registry = registry;
  }

  /**
   * An expression whose value is the JSON of `value`, a variable, or undefined where it has none.
   * @returns undefined where nothing is expected.
   */
  expression(schema: Schema, value: string): string | undefined {
    const call = this.#call(schema, value);
    if (call !== undefined) return call;
    const written = writePlain(schema, value);
    return written && `(${written.check} ? ${join([{ text: "" }, ...written.parts])} : fallback(${value}))`;
  }

  /** Writes a value with a separate function. */
  #call(schema: Schema, value: string): string | undefined {
    const type = toType(schema);
    if (type === undefined) return undefined;
    const { reference, items } = type.schema;
    const called =
      reference !== undefined
        ? this.#referred(reference, value)
        : type.name === "array"
          ? items && this.#array(items, value)
          : type.name === "object"
            ? this.#object(type.schema, value)
            : undefined;
    return called !== undefined && type.allowsNull ? `(${value} === null ? "null" : ${called})` : called;
  }

  #referred(reference: string, value: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return `${known}(${value})`;
    const schema = this.#registry.get(reference);
    // Named first, because the schema may refer to itself.
    const name = `write${this.#names.size}`;
    this.#names.set(reference, name);
    const written = this.expression(schema, "value") ?? "fallback(value)";
    this.functions.push(`function ${name}(value) { return ${written}; }`);
    return `${name}(${value})`;
  }

  #array(items: Schema, value: string): string | undefined {
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

  #object({ properties = {}, required = [] }: Schema, value: string): string | undefined {
    const declared = Object.entries(properties);
    // Reading a member called `__proto__` may find the prototype.
    if (declared.length === 0 || declared.some(([key]) => key === "__proto__")) return undefined;
    const name = `writeObject${this.functions.length}`;
    const slot = this.functions.push("") - 1;
    const always = new Set(
      required.filter((key) => {
        const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
        return property !== undefined && !this.#registry.isAbsent(property, "response");
      }),
    );
    // Required members come first, so that commas do not depend on optional ones.
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

  #member(schema: Schema, member: string, written: string): Written {
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

/** Writes a value inline: text, numbers and booleans. */
function writePlain(schema: Schema, value: string): Written | undefined {
  const type = toType(schema);
  const written = type && writeType(type, value);
  if (written === undefined || !type?.allowsNull) return written;
  return {
    check: `(${value} === null || ${written.check})`,
    parts: [{ code: `(${value} === null ? "null" : ${join([{ text: "" }, ...written.parts])})` }],
  };
}

function writeType({ name, schema }: SchemaType, value: string): Written | undefined {
  switch (name) {
    case "string":
      return {
        check: checkText(schema.enum, value),
        parts: [{ text: '"' }, { code: value }, { text: '"' }],
      };
    case "integer":
    case "number":
      // A number minus itself is 0, except for the infinities and NaN.
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
function checkText(texts: readonly unknown[] | undefined, value: string): string {
  const isKnown =
    texts !== undefined &&
    texts.length <= 8 &&
    texts.every((text) => typeof text === "string" && isPlain(text));
  if (isKnown) return `(${texts.map((text) => `${value} === ${JSON.stringify(text)}`).join(" || ")})`;
  return `(typeof ${value} === "string" && isPlain(${value}))`;
}

interface SchemaType {
  /** The one type beside `null`; empty for a reference. */
  readonly name: string;
  readonly schema: Schema;
  readonly allowsNull: boolean;
}

function toType(schema: Schema): SchemaType | undefined {
  const { reference, type = [], anyOf, oneOf } = schema;
  if (reference !== undefined) return { name: "", schema, allowsNull: false };
  const rest = anyOf ? findBesideNull(schema, "anyOf") : oneOf && findBesideNull(schema, "oneOf");
  const inner = rest && toType(rest);
  if (inner) return { ...inner, allowsNull: true };
  const [name, ...others] = type.filter((each) => each !== "null");
  if (name === undefined || others.length > 0) return undefined;
  return { name, schema, allowsNull: type.includes("null") };
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

/** Writes an unexpected value. Undefined for a function, for example, which the type of `JSON.stringify` omits. */
const fallback = (value: unknown): string | undefined => JSON.stringify(value);

/** Longer texts are searched faster by a pattern. */
const SHORT = 40;
// eslint-disable-next-line no-control-regex -- they are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** True when a text needs no escapes. */
function isPlain(text: string): boolean {
  if (text.length > SHORT) return !ESCAPED.test(text);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}
