import type { NamedSchema } from "tenon/core/model";
import {
  findDiscriminator,
  type JsonSchema,
  listChildren,
  otherProperties,
  type Schema,
  type SchemaRegistry,
} from "tenon/core/schema";
import { listRequiredElsewhere } from "../server/object-shape.js";
import { atom, type TypeText, union } from "../server/type-text.js";
import type { View } from "../server/views.js";
import type { CodecFormat, CodecTypes } from "../text.js";
import { type Expression, toExpression, toObject } from "./rules.js";
import type { Variants } from "./variants.js";

/** A format that is converted: the function of `tenon/schemas` and the type, for the JSON type that has the format. */
interface Conversion {
  readonly json: "string" | "integer";
  readonly call: string;
  readonly type: string;
}

const CONVERSIONS: Readonly<Record<string, readonly Conversion[]>> = {
  "date-time Date": [{ json: "string", call: "asDate", type: "Date" }],
  "date-time Temporal.Instant": [{ json: "string", call: "asInstant", type: "Temporal.Instant" }],
  "date Temporal.PlainDate": [{ json: "string", call: "asPlainDate", type: "Temporal.PlainDate" }],
  "int64 bigint": [
    { json: "integer", call: "asBigInt", type: "bigint" },
    { json: "string", call: "textAsBigInt", type: "bigint" },
  ],
};

/** Finds what is converted in the schemas of a contract. */
export class Converted {
  readonly #references: ReadonlySet<string>;
  /** Alternatives of unions as JSON Schemas, with the values of their discriminator. */
  readonly #alternatives = new Map<Schema, Readonly<Record<View, JsonSchema>>>();

  constructor(
    private readonly types: CodecTypes,
    private readonly registry: SchemaRegistry,
    components: readonly NamedSchema[],
  ) {
    const references = new Set<string>();
    // A component has conversions if one that it refers to does: repeat until no more are found.
    let size: number;
    do {
      size = references.size;
      for (const { reference, schema } of components)
        if (this.#converts(schema, references)) references.add(reference);
    } while (references.size > size);
    this.#references = references;
  }

  /** Writes the alternatives of all unions within a schema, by which a value is assigned to one. */
  writeAlternatives(schema: Schema, variants: Variants, seen = new Set<Schema>()): void {
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const { choice, condition } of this.#listUnions(schema).flat())
      this.#alternatives.set(choice, {
        request: variants.write(condition, "alternative"),
        response: variants.write(condition, "response"),
      });
    const { reference } = schema;
    if (reference !== undefined && this.registry.nameOf(reference) === undefined)
      this.writeAlternatives(this.registry.get(reference), variants, seen);
    if (schema.patternProperties) this.writeAlternatives(getOthers(schema) ?? schema, variants, seen);
    for (const child of listChildren(schema)) this.writeAlternatives(child.schema, variants, seen);
  }

  /** Tests whether a component has conversions. */
  has(reference: string): boolean {
    return this.#references.has(reference);
  }

  /** Tests whether a schema has conversions. */
  isConverted(schema: Schema): boolean {
    return this.#converts(schema, this.#references);
  }

  /** The type of a value that is converted as a whole; undefined for others, whose parts may be. */
  toType(schema: Schema): TypeText | undefined {
    const leaf = this.#findLeaf(schema);
    if (leaf === undefined) return undefined;
    return union(
      leaf.types.map((type) => atom(type === leaf.json ? leaf.type : (SCALARS[type] ?? "unknown"))),
    );
  }

  /**
   * Emits the conversion of a schema: `{ type: object, properties: { at: { format: date-time } } }` becomes
   * `s.members({ at: s.asDate() })`.
   * @returns undefined if nothing in it is converted.
   */
  emit(schema: Schema, emitting: Emitting): Expression | undefined {
    const leaf = this.#findLeaf(schema);
    if (leaf !== undefined) return `s.${leaf.call}()`;
    if (!this.isConverted(schema)) return undefined;
    const { reference, allOf = [] } = schema;
    const parts = [
      ...(reference === undefined ? [] : [this.#emitReference(reference, emitting)]),
      ...allOf.map((part) => this.emit(part, emitting)),
      this.#emitMembers(schema, emitting),
      this.#emitList(schema, emitting),
      ...this.#listUnions(schema).map((choices) => this.#emitUnion(choices, emitting)),
    ].filter((part) => part !== undefined);
    return parts.length > 1 ? toExpression("s.both(", parts, ")") : parts[0];
  }

  #emitReference(reference: string, emitting: Emitting): Expression | undefined {
    if (this.registry.nameOf(reference) === undefined)
      return this.emit(this.registry.get(reference), emitting);
    return this.has(reference) ? `s.of(${emitting.toCodec(reference)})` : undefined;
  }

  #emitMembers(schema: Schema, emitting: Emitting): Expression | undefined {
    const { properties = {} } = schema;
    const own = Object.entries(properties).flatMap(([name, property]) => {
      const part = this.registry.isAbsent(property, emitting.view)
        ? undefined
        : this.emit(property, emitting);
      return part === undefined ? [] : [[name, part] as const];
    });
    const others = getOthers(schema);
    const rest = others && this.emit(others, emitting);
    if (own.length === 0 && rest === undefined) return undefined;
    return toExpression("s.members(", [toObject(own), ...(rest === undefined ? [] : [rest])], ")");
  }

  #emitList({ items, prefixItems = [] }: Schema, emitting: Emitting): Expression | undefined {
    const rest = items && this.emit(items, emitting);
    const first = prefixItems.map((item) => this.emit(item, emitting));
    if (rest === undefined && first.every((part) => part === undefined)) return undefined;
    return toExpression(
      "s.list(",
      [rest, ...first].map((part) => part ?? "undefined"),
      ")",
    );
  }

  #emitUnion(choices: readonly Choice[], emitting: Emitting): Expression | undefined {
    const parts = choices.map(({ choice }) => [choice, this.emit(choice, emitting)] as const);
    const converting = parts.filter(([, part]) => part !== undefined);
    const others = parts.filter(([choice, part]) => part === undefined && choice.type?.join() !== "null");
    // A conversion leaves null as it is.
    if (others.length === 0 && converting.length <= 1) return converting[0]?.[1];
    if (converting.length === 0) return undefined;
    const alternatives = parts.map(([choice, part]) => {
      const rules = emitting.emitRules(this.#alternatives.get(choice)?.[emitting.view] ?? true);
      return toExpression("[", part === undefined ? [rules] : [rules, part], "]");
    });
    return toExpression("s.either(", alternatives, ")");
  }

  /** Lists the alternatives of `oneOf` and of `anyOf`. The one for all values that no other has is the last. */
  #listUnions(schema: Schema): readonly (readonly Choice[])[] {
    const discriminator = findDiscriminator(schema, this.registry);
    return (["oneOf", "anyOf"] as const).map((keyword) =>
      (schema[keyword] ?? [])
        .map((choice, index) => {
          const found = discriminator?.keyword === keyword ? discriminator.choices[index] : undefined;
          if (discriminator === undefined || found === undefined || found.isDefault)
            return { choice, condition: choice, isDefault: found?.isDefault === true };
          const { pointer } = choice;
          const { propertyName } = discriminator;
          const properties = Object.fromEntries([[propertyName, { pointer, enum: found.values }]]);
          const selected = { pointer, type: ["object" as const], required: [propertyName], properties };
          return { choice, condition: { pointer, allOf: [selected, choice] }, isDefault: false };
        })
        .toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault)),
    );
  }

  /** Finds the conversion of a whole value: the schema's own, or that of a schema that applies to the same value. */
  #findLeaf(schema: Schema, seen = new Set<Schema>()): Leaf | undefined {
    if (seen.has(schema)) return undefined;
    seen.add(schema);
    const { type = [], format, enum: values, reference, allOf = [] } = schema;
    const kinds = CONVERSIONS[`${format ?? ""} ${this.types[format as CodecFormat] ?? ""}`] ?? [];
    const own = kinds.find(({ json }) => type.includes(json));
    if (own !== undefined && values === undefined) return { ...own, types: type };
    const others = [...(reference === undefined ? [] : [this.registry.get(reference)]), ...allOf];
    for (const other of others) {
      const leaf = this.#findLeaf(other, seen);
      if (leaf !== undefined) return leaf;
    }
    return undefined;
  }

  #converts(schema: Schema, references: ReadonlySet<string>, seen = new Set<Schema>()): boolean {
    if (seen.has(schema)) return false;
    seen.add(schema);
    if (this.#findLeaf(schema) !== undefined) return true;
    const {
      reference,
      allOf = [],
      oneOf = [],
      anyOf = [],
      items,
      prefixItems = [],
      properties = {},
    } = schema;
    if (reference !== undefined) {
      const isNamed = this.registry.nameOf(reference) !== undefined;
      if (
        isNamed ? references.has(reference) : this.#converts(this.registry.get(reference), references, seen)
      )
        return true;
    }
    const others = getOthers(schema);
    const parts = [...allOf, ...oneOf, ...anyOf, ...prefixItems, ...Object.values(properties)];
    return [...parts, ...(items ? [items] : []), ...(others ? [others] : [])].some((part) =>
      this.#converts(part, references, seen),
    );
  }
}

interface Leaf extends Conversion {
  /** All types of the value; `null` stays as it is, for example. */
  readonly types: NonNullable<Schema["type"]>;
}

interface Choice {
  readonly choice: Schema;
  /** The alternative, and its values of the discriminator. */
  readonly condition: Schema;
  readonly isDefault: boolean;
}

/** How conversions are emitted in one form of a schema. */
export interface Emitting {
  readonly view: View;
  /** Name of the codec of a component. */
  readonly toCodec: (reference: string) => string;
  readonly emitRules: (schema: JsonSchema) => string;
}

/** TypeScript's names of the types that a format is beside. */
const SCALARS: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** The schema of the members of a map. Beside declared properties, types cannot express others, which stay as they are. */
function getOthers(schema: Schema): Schema | undefined {
  const isMap = schema.properties === undefined && listRequiredElsewhere(schema).length === 0;
  return isMap ? otherProperties(schema) : undefined;
}
