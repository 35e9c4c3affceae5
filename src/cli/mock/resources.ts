import type { OperationDescriptor } from "tenon/runtime/operation";
import { flatten } from "../values/flatten.js";
import type { SchemaBook } from "../values/book.js";
import type { Schema } from "../values/schema.js";

/** What an operation does with things that are kept. */
export type Role = "create" | "list" | "read" | "replace" | "change" | "remove";

export interface ResourceUse {
  readonly role: Role;
  /** Path template of the collection: `/owners/{ownerId}/pets`. */
  readonly collection: string;
  /** Path parameter that names one of its things: `petId`. */
  readonly parameter: string;
  /** Property that has the same value: `id`. */
  readonly key: string;
  /** Names of the properties that its things may have in answers. */
  readonly properties: readonly string[];
}

const OF_COLLECTION: Readonly<Partial<Record<OperationDescriptor["method"], Role>>> = {
  get: "list",
  post: "create",
};
const OF_ITEM: Readonly<Partial<Record<OperationDescriptor["method"], Role>>> = {
  get: "read",
  put: "replace",
  patch: "change",
  delete: "remove",
};

/**
 * Finds what can be kept: a path `/pets` that is posted to or listed, and `/pets/{petId}` below it, whose last segment is one
 * parameter. Things are known by the property that has the parameter's name, or `id` for a parameter that ends so, or `petId` for
 * `{id}`; where what is read or created has none of them, nothing is kept.
 * @param findShape The schema of an operation's usual answer; undefined where that is no JSON.
 */
export function findResources(
  operations: readonly OperationDescriptor[],
  book: SchemaBook,
  findShape: (operation: OperationDescriptor) => Schema | undefined,
): ReadonlyMap<OperationDescriptor, ResourceUse> {
  const byPath = new Map<string, OperationDescriptor[]>();
  for (const operation of operations) {
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  }
  const uses = new Map<OperationDescriptor, ResourceUse>();
  for (const [path, items] of byPath) {
    const [, collection, parameter] = /^(.+)\/\{([^{}/]+)\}$/.exec(path) ?? [];
    if (collection === undefined || parameter === undefined) continue;
    const whole = byPath.get(collection) ?? [];
    if (!whole.some(({ method }) => method in OF_COLLECTION)) continue;
    const describing = [...items.filter(isGet), ...whole.filter(({ method }) => method === "post")];
    const shapes = describing.flatMap((operation) => findShape(operation) ?? []);
    const properties = [...new Set(shapes.flatMap((shape) => listProperties(shape, book)))];
    const key = findKey(properties, parameter, collection);
    if (key === undefined) continue;
    const use = { collection, parameter, key, properties };
    for (const operation of whole) addUse(operation, OF_COLLECTION[operation.method], use);
    for (const operation of items) addUse(operation, OF_ITEM[operation.method], use);
  }
  return uses;

  function addUse(
    operation: OperationDescriptor,
    role: Role | undefined,
    use: Omit<ResourceUse, "role">,
  ): void {
    if (role !== undefined) uses.set(operation, { role, ...use });
  }
}

function isGet({ method }: OperationDescriptor): boolean {
  return method === "get";
}

function findKey(properties: readonly string[], parameter: string, collection: string): string | undefined {
  const find = (name: string) => properties.find((property) => toPlain(property) === name);
  const plain = toPlain(parameter);
  const thing = toPlain(collection.slice(collection.lastIndexOf("/"))).replace(/s$/, "");
  return (
    find(plain) ??
    (plain.endsWith("id") ? find("id") : undefined) ??
    (plain === "id" ? find(`${thing}id`) : undefined)
  );
}

/** `pet_id` and `petId` are one name. */
function toPlain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, "");
}

/** Names of the properties that an object of a schema may have, whatever it chooses. */
export function listProperties(schema: Schema, book: SchemaBook, depth = 0): readonly string[] {
  const { properties = {}, choices = [] } = flatten(schema, book);
  const own = Object.keys(properties).filter((name) => properties[name] !== false);
  const chosen = depth > 3 ? [] : choices.flat().flatMap((choice) => listProperties(choice, book, depth + 1));
  return [...new Set([...own, ...chosen])];
}
