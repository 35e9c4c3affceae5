import {
  findDiscriminator,
  type JsonSchema,
  type Schema,
  type SchemaRegistry,
  type Side,
} from "../core/schema/index.js";

/** A component occurs so many times within itself; deeper, any value is allowed. */
const MAX_NESTED = 2;

/** A schema has no more members than this in all; beyond them, any value is allowed. */
const MAX_SIZE = 1_500;

/** Assertions that models know. Others are the service's to check. */
const INPUT_ASSERTIONS = [
  ...(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const),
  ...(["minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems"] as const),
  ...(["minProperties", "maxProperties", "default"] as const),
];

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
    const isTooDeep = around.filter((one) => one === own).length >= MAX_NESTED || this.#size > MAX_SIZE;
    const parts = [...this.#registry.parts(schema)];
    const description = parts.find((part) => part.description !== undefined)?.description;
    const described = description === undefined ? {} : { description: shorten(description, 300) };
    if (isTooDeep) return described;
    const inside = (child: Schema) => this.#write(child, [...around, own]);
    const alternatives = parts.map((part) => this.#writeAlternatives(part, inside)).find((list) => list);
    return {
      ...describeType(parts),
      ...described,
      ...(this.#side === "request" && pick(parts, INPUT_ASSERTIONS)),
      ...this.#writeMembers(parts, inside),
      ...writeItems(parts, inside),
      ...(alternatives && { anyOf: alternatives }),
    };
  }

  /** A value that matches one of several alternatives matches at least one of them. */
  #writeAlternatives(part: Schema, inside: (child: Schema) => JsonSchema): readonly JsonSchema[] | undefined {
    const members = part.oneOf ?? part.anyOf;
    if (members === undefined) return undefined;
    const chosen = findDiscriminator(part, this.#registry);
    return members.map((member) => {
      const written = inside(member);
      const choice = chosen?.choices.find(({ reference }) => reference === member.reference);
      if (choice === undefined || choice.declared || chosen === undefined) return written;
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
      return first === undefined || isAbsent ? [] : [[name, inside(first)]];
    });
    const kept = new Set(properties.map(([name]) => name));
    const required = new Set(parts.flatMap((part) => part.required ?? []).filter((name) => kept.has(name)));
    const others = parts.find((part) => part.additionalProperties !== undefined)?.additionalProperties;
    const isOpen = parts.some((part) => part.patternProperties !== undefined);
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.size > 0 && { required: [...required] }),
      ...(others !== undefined &&
        !isOpen && { additionalProperties: others.never === true ? false : inside(others) }),
    };
  }
}

interface ObjectParts {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
}

function writeItems(parts: readonly Schema[], inside: (child: Schema) => JsonSchema): object {
  const listed = parts.find((part) => part.prefixItems !== undefined);
  // Positions have schemas of their own, which models are not told.
  if (listed !== undefined) return {};
  const items = parts.find((part) => part.items !== undefined)?.items;
  return items === undefined || items.never === true ? {} : { items: inside(items) };
}

function describeType(parts: readonly Schema[]): object {
  const { type, enum: values } = pick(parts, ["type", "enum"]);
  const [single, ...others] = type ?? [];
  return {
    ...(single !== undefined && { type: others.length === 0 ? single : type }),
    ...(values !== undefined && { enum: values }),
  };
}

/** The first value of each keyword. */
function pick<Key extends keyof Schema>(parts: readonly Schema[], keys: readonly Key[]): Pick<Schema, Key> {
  const found = keys.flatMap((key) => {
    const part = parts.find((one) => one[key] !== undefined);
    return part === undefined ? [] : [[key, part[key]]];
  });
  return Object.fromEntries(found) as Pick<Schema, Key>;
}

/** Cuts a text at the end of a word. */
export function shorten(text: string, length: number): string {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).replace(/\s+\S*$/, "")}…`;
}
