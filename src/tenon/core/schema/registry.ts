import { toComponentName, toComponentReference } from "../document/components.js";
import { type Located, type Node, toNode } from "../document/node.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { type LookUp, Source } from "../document/source.js";
import { expandHierarchies, isBase, redirect, toAuthorPointer } from "./hierarchy.js";
import { readSchema, type SchemaContext } from "./read-schema.js";
import type { Schema } from "./schema.js";

/** Who sends a value: a request lacks what is `readOnly`, a response what is `writeOnly`. */
export type Side = "request" | "response";

export const SCHEMAS = "#/components/schemas";

export interface RegistryOptions {
  /** Finds what references lead to elsewhere than in the document. Default: nothing. */
  readonly lookUp?: LookUp | undefined;
  /** Pointer of the document itself. Default: `#`. */
  readonly root?: string | undefined;
  /** Called for each reference of a schema that leads nowhere. */
  readonly onUnresolved?: (reference: string, pointer: string) => void;
}

/** The schemas of a document by their references. Each is read when it is first asked for, once. */
export class SchemaRegistry {
  /** Names of the schema components in document order, with those that were made for the bases of hierarchies. */
  readonly names: readonly string[];
  readonly source: Source;
  readonly #known = new Map<string, Schema>();
  readonly #absent = { request: new Map<Schema, boolean>(), response: new Map<Schema, boolean>() };
  readonly #context: SchemaContext;

  constructor(document: Node, { lookUp, root, onUnresolved }: RegistryOptions = {}) {
    const components = toNode(getOwn(document, "components"));
    const schemas = expandHierarchies(toNode(getOwn(components, "schemas")));
    const expanded = { ...document, components: { ...components, schemas } };
    const own = new Source(expanded);
    this.names = Object.keys(schemas);
    this.source = new Source(
      expanded,
      lookUp ??
        ((reference) => {
          const target = own.lookUp(redirect(reference, schemas));
          return target && { ...target, pointer: toAuthorPointer(target.pointer) };
        }),
      root,
    );
    this.#context = {
      dialect: this.source.dialect,
      toReference: (reference, pointer) => {
        const target = this.source.lookUp(reference, pointer);
        if (target === undefined) onUnresolved?.(reference, pointer);
        return target?.reference;
      },
      toMapped: (target, pointer) =>
        Object.hasOwn(schemas, target)
          ? toComponentReference(target)
          : this.source.lookUp(target, pointer)?.reference,
    };
  }

  /** Reads the schema under `key` of a node; undefined where there is none. */
  read({ node, pointer }: Located, key: string): Schema | undefined {
    const value = getOwn(node, key);
    return value === undefined ? undefined : readSchema(value, joinPointer(pointer, key), this.#context);
  }

  /** The schema that a reference is the key of. */
  get(reference: string): Schema {
    const known = this.#known.get(reference);
    if (known !== undefined) return known;
    const target = this.source.lookUp(reference);
    const schema = readSchema(target?.node, target?.pointer ?? reference, this.#context);
    this.#known.set(reference, schema);
    return schema;
  }

  /** The schema of a component. */
  component(name: string): Schema {
    return this.get(toComponentReference(name));
  }

  /** The name of the component that a reference leads to as a whole. */
  nameOf(reference: string): string | undefined {
    return toComponentName(reference);
  }

  /** Whether a component was made for the base of a hierarchy: no author wrote its name. */
  isMade(name: string): boolean {
    return isBase(name);
  }

  /** The schema at the end of a chain of references; a chain in a circle ends where it closes. */
  resolve(schema: Schema): Schema {
    let found = schema;
    const seen = new Set<string>();
    while (found.reference !== undefined && !seen.has(found.reference)) {
      seen.add(found.reference);
      found = this.get(found.reference);
    }
    return found;
  }

  /** A schema, what it refers to and the members of its `allOf`, at any depth: all of them hold for the same value. */
  parts(schema: Schema, seen = new Set<Schema>()): ReadonlySet<Schema> {
    if (seen.has(schema)) return seen;
    seen.add(schema);
    for (const part of schema.allOf ?? []) this.parts(part, seen);
    if (schema.reference !== undefined) this.parts(this.get(schema.reference), seen);
    return seen;
  }

  /** Whether a property is one that the side never has: it is `readOnly` or `writeOnly`, itself or behind its references. */
  isAbsent(property: Schema, side: Side): boolean {
    const known = this.#absent[side].get(property);
    if (known !== undefined) return known;
    const key = side === "request" ? "readOnly" : "writeOnly";
    const seen = new Set<Schema>();
    let schema: Schema | undefined = property;
    while (schema !== undefined && schema[key] !== true && !seen.has(schema)) {
      seen.add(schema);
      schema = schema.reference === undefined ? undefined : this.get(schema.reference);
    }
    const isAbsent = schema?.[key] === true;
    this.#absent[side].set(property, isAbsent);
    return isAbsent;
  }

  /** Names of the properties that a schema declares, itself or by its {@link parts}, and that the side never has. */
  absentNames(schema: Schema, side: Side): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { properties = {} } of this.parts(schema))
      for (const [name, property] of Object.entries(properties))
        if (this.isAbsent(property, side)) names.add(name);
    return names;
  }
}
