import type { SchemasByUri } from "./eov.js";

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
      "quote",
      "fallback",
      `${source.functions.join("\n")}\nreturn (value) => ${written};`,
    );
    return (create as (...helpers: unknown[]) => WriteJson)(quote, fallback);
  };
}

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
    if (typeof schema !== "object" || schema === null) return undefined;
    const { $ref: reference, type } = schema as Schema;
    if (typeof reference === "string") return this.#referred(reference, value);
    const types = ([] as unknown[]).concat(type ?? []);
    const written = types
      .filter((name) => name !== "null")
      .map((name) => this.#typed(name, schema as Schema, value));
    const [only, ...others] = written;
    if (only === undefined || others.length > 0) return undefined;
    return types.includes("null") ? `(${value} === null ? "null" : ${only})` : only;
  }

  #typed(type: unknown, schema: Schema, value: string): string | undefined {
    switch (type) {
      case "string":
        return `(typeof ${value} === "string" ? quote(${value}) : fallback(${value}))`;
      case "integer":
      case "number":
        // What is subtracted from itself is 0, but for the infinities and NaN.
        return `(typeof ${value} === "number" && ${value} - ${value} === 0 ? "" + ${value} : fallback(${value}))`;
      case "boolean":
        return `(${value} === true ? "true" : ${value} === false ? "false" : fallback(${value}))`;
      case "array":
        return this.#array(schema["items"], value);
      case "object":
        return this.#object(schema, value);
      default:
        return undefined;
    }
  }

  #referred(reference: string, value: string): string | undefined {
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
    text += (index === 0 ? "" : ",") + (written === undefined ? "null" : written);
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
    // What is always there comes first: only what may be missing has to look for what stands before it.
    const members = [
      ...declared.filter(([key]) => always.has(key)),
      ...declared.filter(([key]) => !always.has(key)),
    ].map(([key, schema], index) => this.#member(key, schema, { index, isRequired: always.has(key) }));
    this.functions[slot] = `function ${name}(object) {
  if (typeof object !== "object" || object === null) return fallback(object);
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return fallback(object);
  let text = "", count = 0;
${members.join("\n")}
  for (const key in object) count--;
  return count === 0 && text !== "" ? text + "}" : fallback(object);
}`;
    return `${name}(${value})`;
  }

  #member(
    key: string,
    schema: unknown,
    { index, isRequired }: { readonly index: number; readonly isRequired: boolean },
  ): string {
    const member = `member${index}`;
    const written = this.expression(schema, member) ?? `fallback(${member})`;
    const label = JSON.stringify(key) + ":";
    const [first, next] = [JSON.stringify(`{${label}`), JSON.stringify(`,${label}`)];
    const start = !isRequired ? `(text === "" ? ${first} : ${next})` : index === 0 ? first : next;
    return `  const ${member} = object[${JSON.stringify(key)}];
  if (${member} !== undefined) {
    const written = ${written};
    if (written === undefined) return fallback(object);
    text += ${start} + written;
    count++;
  }${isRequired ? " else return fallback(object);" : ""}`;
  }
}

/** What is not as expected. Nothing is left of a function, for example, whatever the type of `JSON.stringify` says. */
const fallback = (value: unknown): string | undefined => JSON.stringify(value);

/** Longer texts are searched faster by a pattern. */
const SHORT = 40;
// eslint-disable-next-line no-control-regex -- they are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  if (text.length > SHORT) return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff))
      return JSON.stringify(text);
  }
  return `"${text}"`;
}
