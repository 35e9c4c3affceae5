import { getByPointer, getSchemas, isNode, type Node } from "../../contract/document.js";
import { expandHierarchies, redirect } from "../../contract/hierarchy.js";
import { toStandard } from "./to-standard.js";
import type { Schema } from "./schema.js";

/** Who sends what a schema describes: requests have no `readOnly` members, responses no `writeOnly` ones. */
export type Side = "request" | "response";

/** Every schema of one side of a contract, by a key that references and validators use. */
export interface SchemaBook {
  readonly side: Side;
  /** By key: `S0`, `S1`, … */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Adds a schema as the document has it. What it refers to is added too. */
  add(schema: unknown): string;
  /** Adds one that was made here. */
  put(schema: Schema): string;
  get(key: string): Schema;
}

/** A contract's document as schemas need it, the same for both sides. */
export interface SchemaSource {
  readonly document: Node;
  /** The schema components, with hierarchies of `discriminator` and `allOf` as the unions that they mean. */
  readonly components: Node;
  readonly dialect30: boolean;
}

export function createSchemaSource(document: Node): SchemaSource {
  const components = expandHierarchies(getSchemas(document));
  const declared = document["components"];
  return {
    document: { ...document, components: { ...(isNode(declared) && declared), schemas: components } },
    components,
    dialect30: String(document["openapi"]).startsWith("3.0."),
  };
}

export function createSchemaBook(source: SchemaSource, side: Side): SchemaBook {
  const schemas = new Map<string, Schema>();
  const keys = new Map<unknown, string>();
  const put = (schema: Schema): string => {
    const key = `S${schemas.size}`;
    schemas.set(key, schema);
    return key;
  };
  const lookUp = (reference: string): unknown =>
    getByPointer(source.document, redirect(reference, source.components));
  const add = (schema: unknown): string => {
    const known = keys.get(schema);
    if (known !== undefined) return known;
    // Before it is built, so that one which contains itself refers to itself.
    const key = put(true);
    if (isNode(schema)) keys.set(schema, key);
    schemas.set(key, toStandard(schema, context));
    return key;
  };
  const context = {
    side,
    dialect30: source.dialect30,
    components: source.components,
    lookUp,
    // A reference that leads nowhere says nothing, as an anchor's does that only a validator would find.
    refer: (reference: string) => {
      const target = lookUp(reference);
      return isNode(target) ? add(target) : undefined;
    },
  };
  return { side, schemas, add, put, get: (key) => schemas.get(key) ?? true };
}
