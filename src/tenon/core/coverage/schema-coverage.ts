import { isNode } from "../document/node.js";
import {
  type Discriminator,
  findDiscriminator,
  isSame,
  type Schema,
  type SchemaRegistry,
  type Side,
} from "../schema/index.js";
import { findFacts, isOfType, type ValueFact } from "./value-facts.js";

/** The parts of a schema that are used repeatedly. */
interface KnownSchema {
  readonly facts: readonly (Pick<ValueFact, "holds"> & { readonly item: CoverageItem })[];
  /** Properties that may occur on this side. */
  readonly properties: ReadonlyMap<string, { readonly schema: Schema; readonly item: CoverageItem }>;
  /** Schemas that apply to the same value. */
  readonly parts: readonly Schema[];
  /** Schemas that may apply to the same value. */
  readonly alternatives: readonly Schema[];
  readonly discriminator: Discriminator | undefined;
}

/** Finds the coverage items of schemas, for the values of one side. */
export class SchemaCoverage {
  readonly #known = new WeakMap<Schema, KnownSchema>();

  constructor(
    private readonly side: Side,
    private readonly registry: SchemaRegistry,
  ) {}

  /** Lists every item of a schema and of the schemas in it, once. */
  list(root: Schema, found: Found): void {
    const seen = new Set<Schema>();
    const pending = [root];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      if (seen.has(schema)) continue;
      seen.add(schema);
      const { facts, properties, parts, alternatives } = this.#know(schema);
      for (const { item } of facts) found(item);
      for (const property of properties.values()) {
        found(property.item);
        pending.push(property.schema);
      }
      const { items, additionalProperties } = schema;
      pending.push(...parts, ...alternatives);
      pending.push(...[items, additionalProperties].filter((one) => one !== undefined));
    }
  }

  /** Finds the items of a schema that a value covers. */
  find(value: unknown, schema: Schema, found: Found): void {
    const known = this.#know(schema);
    for (const { holds, item } of known.facts) if (holds(value)) found(item);
    for (const part of known.parts) this.find(value, part, found);
    for (const alternative of this.#choose(value, known)) this.find(value, alternative, found);
    if (Array.isArray(value)) {
      if (schema.items) for (const item of value) this.find(item, schema.items, found);
    } else if (isNode(value)) {
      for (const name of Object.keys(value)) {
        const property = known.properties.get(name);
        if (property !== undefined) found(property.item);
        const member = property?.schema ?? schema.additionalProperties;
        if (member !== undefined) this.find(value[name], member, found);
      }
    }
  }

  #know(schema: Schema): KnownSchema {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const { reference, allOf = [], oneOf = [], anyOf = [] } = schema;
    const made: KnownSchema = {
      facts: findFacts(schema, this.side).map(({ keyword, title, holds }) => ({
        holds,
        item: this.#toItem(schema.pointer + keyword, title),
      })),
      properties: this.#findProperties(schema),
      parts: [...(reference === undefined ? [] : [this.registry.get(reference)]), ...allOf],
      alternatives: [...oneOf, ...anyOf],
      discriminator: findDiscriminator(schema, this.registry),
    };
    this.#known.set(schema, made);
    return made;
  }

  #findProperties({ properties = {} }: Schema): KnownSchema["properties"] {
    return new Map(
      Object.entries(properties).flatMap(([name, schema]) =>
        this.registry.isAbsent(schema, this.side)
          ? []
          : [[name, { schema, item: this.#toItem(schema.pointer, `property ${name}`) }] as const],
      ),
    );
  }

  /** Tests whether a value may be valid. */
  mayMatch(value: unknown, schema: Schema): boolean {
    return this.#mayMatch(value, schema);
  }

  #toItem(pointer: string, title: string): CoverageItem {
    return { id: `${this.side} ${pointer}`, kind: `${this.side} value`, title, pointer };
  }

  /** Returns the alternatives that may match a value; a discriminator selects one. */
  #choose(value: unknown, { alternatives, discriminator }: KnownSchema): readonly Schema[] {
    const kind = isNode(value) && discriminator ? value[discriminator.propertyName] : undefined;
    const choices = discriminator?.choices;
    const choice =
      choices?.find(({ values }) => values.includes(kind)) ?? choices?.find(({ isDefault }) => isDefault);
    return choice === undefined
      ? alternatives.filter((alternative) => this.#mayMatch(value, alternative))
      : [this.registry.get(choice.reference)];
  }

  /**
   * Tests whether an alternative may match a value: the value has its type, its required properties, and the values of its enums.
   * Only a validator could decide the rest, which counts as covered.
   */
  #mayMatch(value: unknown, alternative: Schema): boolean {
    return [...this.registry.parts(alternative)].every((part) => {
      if (part.type && !part.type.some((type) => isOfType(value, type))) return false;
      if (!isNode(value)) return true;
      const absent = this.registry.absentNames(part, this.side);
      const hasRequired =
        part.required?.every((name) => absent.has(name) || Object.hasOwn(value, name)) ?? true;
      return (
        hasRequired &&
        [...this.#know(part).properties].every(
          ([name, { schema }]) => !Object.hasOwn(value, name) || this.#isListed(value[name], schema),
        )
      );
    });
  }

  #isListed(value: unknown, schema: Schema): boolean {
    const { enum: values } = this.registry.resolve(schema);
    return values?.some((one) => isSame(one, value)) ?? true;
  }
}

export const COVERAGE_KINDS = [
  "response",
  "response media type",
  "response header",
  "response value",
  "response item",
  "request media type",
  "parameter",
  "request value",
] as const;

export type CoverageKind = (typeof COVERAGE_KINDS)[number];

/** One part of a contract that a request or response can cover. */
export interface CoverageItem {
  /** Identifier. It stays the same as long as the contract declares the item in the same place. */
  readonly id: string;
  readonly kind: CoverageKind;
  /** `listPets: 401`, `"sold"`. */
  readonly title: string;
  /** Pointer of its declaration in the contract. */
  readonly pointer: string;
}

/** Receives each item that is found, some more than once. */
export type Found = (item: CoverageItem) => void;
