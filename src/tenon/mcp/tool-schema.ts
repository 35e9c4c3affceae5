import {
  findDiscriminator,
  type JsonSchema,
  type Schema,
  type SchemaRegistry,
  type Side,
} from "../core/schema/index.js";

/** A component occurs so many times within itself; deeper, any value is allowed. */
const MAX_NESTED = 2;

/** A schema has no more members than this in all; beyond them, any value is allowed. Models read those of requests only. */
const MAX_SIZE = { request: 500, response: 80 } as const;

/** Characters of a description. */
const MAX_TEXT = { request: 300, response: 100 } as const;

/** Assertions that models know, and the types that each is about. Others are the service's to check. */
const ASSERTIONS = {
  ...{ minimum: "number", maximum: "number", exclusiveMinimum: "number", exclusiveMaximum: "number" },
  ...{ multipleOf: "number", minLength: "string", maxLength: "string", pattern: "string", format: "string" },
  ...{ minItems: "array", maxItems: "array", uniqueItems: "array" },
  ...{ minProperties: "object", maxProperties: "object" },
} as const;

/** Formats that validators have without more; they refuse a schema with another. */
const FORMATS: ReadonlySet<unknown> = new Set([
  ...["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"],
]);

const ALL_TYPES = ["object", "array", "string", "number", "boolean", "null"] as const;

/**
 * Writes schemas of tools: JSON Schemas without references, in the part of the language that the major clients accept. Each allows at
 * least what the contract allows, so that no correct value is refused. Properties that a side never has are left out.
 */
export class ToolSchemas {
  readonly #registry: SchemaRegistry;
  readonly #side: Side;
  #size = 0;

  constructor(registry: SchemaRegistry, side: Side) {
    this.#registry = registry;
    this.#side = side;
  }

  write(schema: Schema): JsonSchema {
    return this.#write(schema, []);
  }

  #write(schema: Schema, around: readonly Schema[]): JsonSchema {
    const own = this.#registry.resolve(schema);
    this.#size += 1;
    const isTooDeep =
      around.filter((one) => one === own).length >= MAX_NESTED || this.#size > MAX_SIZE[this.#side];
    const parts = [...this.#registry.parts(schema)];
    const description = parts.find((part) => part.description !== undefined)?.description;
    const described =
      description === undefined ? {} : { description: shorten(description, MAX_TEXT[this.#side]) };
    if (isTooDeep) return described;
    const inside = (child: Schema) => this.#write(child, [...around, own]);
    const alternatives = parts.map((part) => this.#writeAlternatives(part, inside)).find((list) => list);
    const members = this.#writeMembers(parts, inside);
    const items = writeItems(parts, inside);
    const chosen = this.#chooseTypes(parts, members, items);
    // Validators that are strict refuse alternatives of other types, even where none of their values is allowed.
    const types = chosen.length === 0 ? [] : [...new Set([...chosen, ...listTypes(alternatives)])];
    const { default: value, enum: values } = pick(parts, ["default", "enum"]);
    return {
      ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
      ...(values !== undefined && values.length > 0 && { enum: [...new Set(values)] }),
      ...described,
      ...(this.#side === "request" && value !== undefined && { default: value }),
      ...(this.#side === "request" && writeAssertions(parts, types)),
      ...members,
      ...items,
      // The models of some vendors refuse a list without them.
      ...(this.#side === "request" && types.includes("array") && !("items" in items) && { items: {} }),
      ...(alternatives && { anyOf: alternatives }),
    };
  }

  /**
   * Validators that are strict want the type that a keyword is about. Where the contract leaves it out, other values are allowed,
   * which is stated of responses; in requests it was meant.
   */
  #chooseTypes(parts: readonly Schema[], members: object, items: object): readonly string[] {
    const stated = parts.find(({ type }) => type !== undefined)?.type;
    const about = (name: string, written: object) => (Object.keys(written).length > 0 ? [name] : []);
    const meant = [...about("object", members), ...about("array", items)];
    if (meant.length === 0 || meant.every((name) => stated?.some((type) => type === name)))
      return stated ?? [];
    if (stated !== undefined) return [...new Set([...stated, ...meant])];
    return this.#side === "request" ? meant : ALL_TYPES;
  }

  /** A value that matches one of several alternatives matches at least one of them. */
  #writeAlternatives(part: Schema, inside: (child: Schema) => JsonSchema): readonly JsonSchema[] | undefined {
    const members = part.oneOf ?? part.anyOf;
    if (members === undefined) return undefined;
    const chosen = findDiscriminator(part, this.#registry);
    return members.map((member) => {
      const written = inside(member);
      const choice = chosen?.choices.find(({ reference }) => reference === member.reference);
      const isObject = (written as { readonly type?: unknown }).type === "object";
      if (choice === undefined || choice.declared || chosen === undefined || !isObject) return written;
      const { propertyName } = chosen;
      const { properties = {}, required = [] } = written as ObjectParts;
      return {
        ...(written as ObjectParts),
        properties: { ...properties, [propertyName]: { enum: choice.values } },
        required: [...new Set([...required, propertyName])],
      };
    });
  }

  #writeMembers(parts: readonly Schema[], inside: (child: Schema) => JsonSchema): ObjectParts {
    const names = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)));
    const properties = [...names].flatMap((name): [string, JsonSchema][] => {
      const found = parts.flatMap((part) => {
        const own = part.properties;
        return own !== undefined && Object.hasOwn(own, name) ? [own[name]] : [];
      });
      const [first] = found;
      const isAbsent = found.some(
        (one) => one === undefined || one.never === true || this.#registry.isAbsent(one, this.#side),
      );
      // Most validators mistake what every object inherits for a member.
      const isInherited = this.#side === "response" && name in Object.prototype;
      return first === undefined || isAbsent || isInherited ? [] : [[name, inside(first)]];
    });
    const kept = new Set(properties.map(([name]) => name));
    const required = new Set(parts.flatMap((part) => part.required ?? []).filter((name) => kept.has(name)));
    const others = parts.find((part) => part.additionalProperties !== undefined)?.additionalProperties;
    const isOpen =
      parts.some((part) => part.patternProperties !== undefined) ||
      [...names].some((name) => name in Object.prototype);
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.size > 0 && { required: [...required] }),
      ...(others !== undefined &&
        !isOpen && { additionalProperties: others.never === true ? false : inside(others) }),
    };
  }
}

/** The types of alternatives, and of the alternatives within them. */
function listTypes(alternatives: readonly JsonSchema[] = []): readonly string[] {
  return alternatives.flatMap((one) => {
    if (typeof one === "boolean") return [];
    const { type, anyOf } = one as { readonly type?: string | string[]; readonly anyOf?: JsonSchema[] };
    return type === undefined ? listTypes(anyOf) : [type].flat();
  });
}

interface ObjectParts {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
}

function writeItems(parts: readonly Schema[], inside: (child: Schema) => JsonSchema): object {
  const listed = parts.find((part) => part.prefixItems !== undefined);
  // Positions have schemas of their own, which models do not need.
  if (listed !== undefined) return {};
  const items = parts.find((part) => part.items !== undefined)?.items;
  return items === undefined || items.never === true ? {} : { items: inside(items) };
}

function writeAssertions(parts: readonly Schema[], types: readonly string[]): object {
  const isAbout = (type: string) => types.includes(type) || (type === "number" && types.includes("integer"));
  const found = Object.entries(pick(parts, Object.keys(ASSERTIONS) as (keyof typeof ASSERTIONS)[]));
  return Object.fromEntries(
    found.filter(([key, value]) => {
      if (!isAbout(ASSERTIONS[key as keyof typeof ASSERTIONS])) return false;
      if (key === "format") return FORMATS.has(value);
      return key !== "pattern" || isPattern(String(value));
    }),
  );
}

/** Tests whether all validators can read a pattern: most compile it in Unicode mode. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}

/** The first value of each keyword. */
function pick<Key extends keyof Schema>(parts: readonly Schema[], keys: readonly Key[]): Pick<Schema, Key> {
  const found = keys.flatMap((key) => {
    const part = parts.find((one) => one[key] !== undefined);
    return part === undefined ? [] : [[key, part[key]]];
  });
  return Object.fromEntries(found) as Pick<Schema, Key>;
}

/** Tags of HTML, which some contracts write descriptions in. */
const TAGS = /<\/?(?:a|b|br|code|div|em|i|li|ol|p|pre|span|strong|table|td|th|tr|ul)(?:\s[^<>]*)?\/?>/gi;

/** Removes markup of HTML from a text, and cuts it at the end of a word. */
export function shorten(text: string, length: number): string {
  const plain = text.replaceAll(TAGS, " ").trim().replaceAll(/\s+/g, " ");
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).replace(/\s+\S*$/, "")}…`;
}
