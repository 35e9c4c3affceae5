import { isSchema, type Schemas } from "tenon/core/legacy/discriminator";
import { expandHierarchies, redirect } from "tenon/core/legacy/hierarchy";
import { getByPointer } from "tenon/core/document/pointer";
import type { Schema } from "./schema.js";
import { type StandardContext, toStandard } from "./to-standard.js";

type Node = Readonly<Record<string, unknown>>;

/** Who sends what a schema describes: requests have no `readOnly` members, responses no `writeOnly` ones. */
export type Side = "request" | "response";

/** Every schema of one side of a contract, by a key that references use. */
export interface SchemaBook {
  readonly side: Side;
  /** The contract, with hierarchies of `discriminator` and `allOf` as the unions that they mean. */
  readonly document: Node;
  /** By key: `S0`, `S1`, … */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Adds a schema as the document has it. What it refers to is added too. */
  add(schema: unknown): string;
  /** Adds one that was made here. */
  put(schema: Schema): string;
  get(key: string): Schema;
}

/**
 * @param document A bundled OpenAPI document: all its references are within it.
 * @param readPattern How its patterns are for who reads them; undefined for one that cannot be read.
 */
export function createSchemaBook(
  document: Node,
  side: Side,
  readPattern: StandardContext["readPattern"] = (pattern) => pattern,
): SchemaBook {
  const { components } = document;
  const declared = isSchema(components) && isSchema(components["schemas"]) ? components["schemas"] : {};
  const expanded: Schemas = expandHierarchies(declared);
  const root = { ...document, components: { ...(isSchema(components) && components), schemas: expanded } };
  const schemas = new Map<string, Schema>();
  const keys = new Map<unknown, string>();

  const put = (schema: Schema): string => {
    const key = `S${schemas.size}`;
    schemas.set(key, schema);
    return key;
  };
  const add = (schema: unknown): string => {
    const known = keys.get(schema);
    if (known !== undefined) return known;
    // Before it is built, so that one which contains itself refers to itself.
    const key = put(true);
    if (isSchema(schema)) keys.set(schema, key);
    schemas.set(key, toStandard(schema, context));
    return key;
  };
  const lookUp = (reference: string): unknown => getByPointer(root, redirect(reference, expanded));
  const context: StandardContext = {
    side,
    readPattern,
    dialect30: String(document["openapi"]).startsWith("3.0."),
    components: expanded,
    lookUp,
    // A reference that leads nowhere says nothing, as an anchor's does that only a validator would find.
    refer: (reference: string) => {
      const target = lookUp(reference);
      return isSchema(target) ? add(target) : undefined;
    },
  };
  return { side, document: root, schemas, add, put, get: (key) => schemas.get(key) ?? true };
}
