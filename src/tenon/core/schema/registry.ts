import { toComponentName, toComponentReference } from "../document/references.js";
import { type Located, type Node, toNode } from "../document/node.js";
import { getOwn, joinPointer } from "../document/pointer.js";
import { type LookUp, Source } from "../document/source.js";
import { expandHierarchies, isBase, redirect, toAuthorPointer } from "./hierarchy.js";
import { readSchema, type SchemaContext } from "./read-schema.js";
import { listChildren, type Schema } from "./schema.js";

/** The message that contains a value. Requests omit `readOnly` properties, responses `writeOnly` ones. */
export type Side = "request" | "response";

export const SCHEMAS = "#/components/schemas";

export interface RegistryOptions {
  /** Finds the targets of references in the author's documents, with hierarchies unchanged. Default: within the document. */
  readonly lookUp?: LookUp | undefined;
  /** Called for each reference of a schema that cannot be resolved. */
  readonly onUnresolved?: (reference: string, pointer: string) => void;
}

/** The schemas of a document by reference. Each is read once, at its first use. */
export class SchemaRegistry {
  /** Names of the schema components in document order, including those added for the bases of hierarchies. */
  readonly names: readonly string[];
  readonly source: Source;
  readonly #known = new Map<string, Schema>();
  readonly #read = new Map<string, Schema>();
  readonly #written: Source;
  readonly #absent = { request: new Map<Schema, boolean>(), response: new Map<Schema, boolean>() };
  readonly #defaults = new Map<Schema, boolean>();
  readonly #context: SchemaContext;

  constructor(document: Node, { lookUp, onUnresolved }: RegistryOptions = {}) {
    this.source = lookUp ? new Source(document, lookUp) : expand(document);
    this.#written = new Source(document, lookUp);
    const schemas = toNode(getOwn(toNode(getOwn(this.source.document, "components")), "schemas"));
    this.names = Object.keys(schemas);
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

  /** The author's document, with hierarchies unchanged. */
  get document(): Node {
    return this.#written.document;
  }

  /** Reads the schema at `key` of a node; undefined if there is none. Operations that share the node share the schema. */
  read({ node, pointer }: Located, key: string): Schema | undefined {
    const value = getOwn(node, key);
    if (value === undefined) return undefined;
    const at = joinPointer(pointer, key);
    const schema = this.#read.get(at) ?? readSchema(value, at, this.#context);
    this.#read.set(at, schema);
    return schema;
  }

  /** Returns the pointer of a keyword in the author's schema; undefined if the author used an equivalent keyword. */
  findKeyword({ pointer }: Schema, keyword: string): string | undefined {
    const node = this.#written.lookUp(pointer)?.node;
    return node && getOwn(node, keyword) !== undefined ? joinPointer(pointer, keyword) : undefined;
  }

  /** Returns the schema for a reference. */
  get(reference: string): Schema {
    const known = this.#known.get(reference);
    if (known !== undefined) return known;
    const target = this.source.lookUp(reference);
    const schema = readSchema(target?.node, target?.pointer ?? reference, this.#context);
    this.#known.set(reference, schema);
    return schema;
  }

  /** Returns the schema of a component. */
  component(name: string): Schema {
    return this.get(toComponentReference(name));
  }

  /** Returns the name of the component that a reference refers to as a whole. */
  nameOf(reference: string): string | undefined {
    return toComponentName(reference);
  }

  /** Tests whether a component was added for the base of a hierarchy, so that its name is not in the author's document. */
  isMade(name: string): boolean {
    return isBase(name);
  }

  /** Follows a chain of references to its end; a circular chain ends at the first repeated schema. */
  resolve(schema: Schema): Schema {
    let found = schema;
    const seen = new Set<string>();
    while (found.reference !== undefined && !seen.has(found.reference)) {
      seen.add(found.reference);
      found = this.get(found.reference);
    }
    return found;
  }

  /** Lists the schemas that apply to the same value: a schema, its references and the members of its `allOf`, at any depth. */
  parts(schema: Schema, seen = new Set<Schema>()): ReadonlySet<Schema> {
    if (seen.has(schema)) return seen;
    seen.add(schema);
    for (const part of schema.allOf ?? []) this.parts(part, seen);
    if (schema.reference !== undefined) this.parts(this.get(schema.reference), seen);
    return seen;
  }

  /** Tests whether a property never occurs on a side: it is `readOnly` or `writeOnly`, itself or through its references. */
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

  /** Lists the properties of a schema and its {@link parts} that never occur on a side. */
  absentNames(schema: Schema, side: Side): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { properties = {} } of this.parts(schema))
      for (const [name, property] of Object.entries(properties))
        if (this.isAbsent(property, side)) names.add(name);
    return names;
  }

  /** Tests whether a schema, or one that it contains or refers to, has a default. */
  hasDefaults(schema: Schema): boolean {
    const known = this.#defaults.get(schema);
    if (known !== undefined) return known;
    const found = [...this.walk([schema])].some((inner) => "default" in inner);
    this.#defaults.set(schema, found);
    return found;
  }

  /** Lists the schemas, and all schemas that they contain or refer to, each once. */
  *walk(roots: Iterable<Schema>): Iterable<Schema> {
    const seen = new Set<Schema>();
    const pending = [...roots].reverse();
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      if (seen.has(schema)) continue;
      seen.add(schema);
      yield schema;
      if (schema.reference !== undefined) pending.push(this.get(schema.reference));
      const children = listChildren(schema).map((child) => child.schema);
      pending.push(...children.reverse());
    }
  }
}

/** Rewrites hierarchies of the document as unions; pointers stay those of the author's document. */
function expand(document: Node): Source {
  const components = toNode(getOwn(document, "components"));
  const schemas = expandHierarchies(toNode(getOwn(components, "schemas")));
  const expanded = { ...document, components: { ...components, schemas } };
  const own = new Source(expanded);
  return new Source(expanded, (reference) => {
    const target = own.lookUp(redirect(reference, schemas));
    return target && { ...target, pointer: toAuthorPointer(target.pointer) };
  });
}
