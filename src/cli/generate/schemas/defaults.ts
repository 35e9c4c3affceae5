import { getTarget, type JsonSchema, SCHEMA_KEYWORDS } from "tenon/core/schema";
import { findDefaults } from "tenon/core/validation";

type Node = Readonly<Record<string, unknown>>;

/** Lists the schemas directly within a JSON Schema. */
function listInner(schema: Node): readonly JsonSchema[] {
  const inner: readonly unknown[] = [
    ...SCHEMA_KEYWORDS.single.map((key) => schema[key]),
    ...SCHEMA_KEYWORDS.lists.flatMap((key) => (schema[key] ?? []) as readonly unknown[]),
    ...SCHEMA_KEYWORDS.maps.flatMap((key): readonly unknown[] => Object.values(schema[key] ?? {})),
  ];
  return inner.filter((one): one is JsonSchema => one !== undefined);
}

/** Lists a JSON Schema and all schemas within it; boolean ones are left out. */
function* walk(schema: JsonSchema): Iterable<Node> {
  if (typeof schema === "boolean") return;
  yield schema;
  for (const inner of listInner(schema)) yield* walk(inner);
}

/** Tests whether a schema, or one within it, puts defaults into objects. */
export function putsDefaults(schema: JsonSchema): boolean {
  for (const inner of walk(schema)) if (findDefaults(inner) !== undefined) return true;
  return false;
}

/** Lists the URIs that a schema, and those within it, refer to. */
export function listReferences(schema: JsonSchema): readonly string[] {
  return [...walk(schema)].flatMap((inner) => getTarget(inner) ?? []);
}
