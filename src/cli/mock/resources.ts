import { isNode } from "tenon/core/document";
import type { HttpMethod } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import { groupBy } from "../generate/group-by.js";
import { toSeed } from "./try-values.js";
import { flatten, type SchemaView, toPlain } from "../values/index.js";

/** The effect of an operation on kept resources. */
export type Role = "create" | "list" | "read" | "replace" | "change" | "remove";

export interface ResourceUse {
  readonly role: Role;
  /** Path template of the collection: `/owners/{ownerId}/pets`. */
  readonly collection: string;
  /** Path parameter that identifies one of its resources: `petId`. */
  readonly parameter: string;
  /** Property with the same value: `id`. */
  readonly key: string;
  /** Names of the properties that its resources may have in responses. */
  readonly properties: readonly string[];
}

type Roles = Readonly<Partial<Record<HttpMethod, Role>>>;
const OF_COLLECTION: Roles = { get: "list", post: "create" };
const OF_ITEM: Roles = { get: "read", put: "replace", patch: "change", delete: "remove" };

/**
 * Finds the operations on resources that can be kept: a path `/pets` with GET or POST, and `/pets/{petId}` below it, whose last
 * segment is one parameter. The resource's identifier is the property with the parameter's name, or `id` for a parameter that ends
 * with it, or `petId` for `{id}`. Without such a property nothing is kept.
 * @param listShown The names of the properties that an operation's usual response has; empty where it is not JSON.
 */
export function findResourceUses(
  operations: readonly Operation[],
  listShown: (operation: Operation) => readonly string[],
): ReadonlyMap<Operation, ResourceUse> {
  const byPath = groupBy(operations, ({ path }) => path);
  const uses = new Map<Operation, ResourceUse>();
  for (const [path, items] of byPath) {
    const [, collection, parameter] = /^(.+)\/\{([^{}/]+)\}$/.exec(path) ?? [];
    if (collection === undefined || parameter === undefined) continue;
    const whole = byPath.get(collection) ?? [];
    if (!whole.some(({ method }) => method in OF_COLLECTION)) continue;
    const describing = [
      ...items.filter(({ method }) => method === "get"),
      ...whole.filter(({ method }) => method === "post"),
    ];
    const properties = [...new Set(describing.flatMap(listShown))];
    const key = findKey(properties, parameter, collection);
    if (key === undefined) continue;
    const use = { collection, parameter, key, properties };
    for (const [roles, operations] of [
      [OF_COLLECTION, whole],
      [OF_ITEM, items],
    ] as const) {
      for (const operation of operations) {
        const role = roles[operation.method];
        if (role !== undefined) uses.set(operation, { role, ...use });
      }
    }
  }
  return uses;
}

function findKey(properties: readonly string[], parameter: string, collection: string): string | undefined {
  const find = (name: string) => properties.find((property) => toPlain(property) === name);
  const plain = toPlain(parameter);
  const singular = toPlain(collection.slice(collection.lastIndexOf("/"))).replace(/s$/, "");
  return (
    find(plain) ??
    (plain.endsWith("id") ? find("id") : undefined) ??
    (plain === "id" ? find(`${singular}id`) : undefined)
  );
}

/** Names of the properties that an object of a schema may have, with those of all its alternatives. */
export function listProperties(schema: Schema, view: SchemaView, depth = 0): readonly string[] {
  const { properties = {}, choices = [] } = flatten(schema, view);
  const own = Object.keys(properties).filter((name) => properties[name]?.never !== true);
  const chosen = depth > 3 ? [] : choices.flat().flatMap((choice) => listProperties(choice, view, depth + 1));
  return [...new Set([...own, ...chosen])];
}

/** A created resource, such as a pet: the properties that were sent, and those that the service adds. */
export type Resource = Readonly<Record<string, unknown>>;

/** Resources by their identifier in the path. */
export type Collection = Map<string, Resource>;

/** Members that contain the number of resources. */
const TOTALS = new Set(["total", "count", "totalCount", "total_count", "totalItems", "total_items"]);

/** Lists the resources of a body that is an array or an object with exactly one array. Undefined for any other body. */
export function findResources(body: unknown, key: string): readonly Resource[] | undefined {
  const name = findListName(body);
  const list = name === undefined ? body : (body as Resource)[name];
  if (!Array.isArray(list)) return undefined;
  return (list as readonly unknown[]).filter(
    (resource): resource is Resource => isNode(resource) && isId(resource[key]),
  );
}

/**
 * Replaces the resources of a body.
 * @param total Their number on all pages.
 */
export function putResources(body: unknown, resources: readonly Resource[], total: number): unknown {
  const name = findListName(body);
  if (name === undefined || !isNode(body)) return resources;
  const totals = Object.keys(body).filter((member) => TOTALS.has(member) && typeof body[member] === "number");
  return {
    ...body,
    ...Object.fromEntries(totals.map((member) => [member, total])),
    [name]: resources,
  };
}

function findListName(body: unknown): string | undefined {
  if (!isNode(body)) return undefined;
  const [name, ...others] = Object.keys(body).filter((member) => Array.isArray(body[member]));
  return others.length === 0 ? name : undefined;
}

export function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** Creates an unused identifier that resembles another one; a number if that is not a string. */
export function toNextId(like: unknown, collection: Collection): string | number {
  if (typeof like !== "string")
    return 1 + Math.max(0, ...[...collection.keys()].map(Number).filter(Number.isSafeInteger));
  for (let count = collection.size + 1; ; count += 1) {
    const id = toTextId(like, count);
    if (!collection.has(id)) return id;
  }
}

/** `pet-7` becomes `pet-8`; digits of a UUID or hash become others. */
function toTextId(like: string, count: number): string {
  if (!/^[\da-f-]{8,}$/i.test(like)) return `${like.replace(/\d+$/, "")}${count}`;
  const parts = Array.from(
    { length: Math.ceil(like.length / 8) },
    (_, part) => toSeed(like, count, part) >>> 0,
  );
  const digits = parts.map((part) => part.toString(16).padStart(8, "0")).join("");
  // A UUID keeps its version and variant.
  return like.replace(/[\da-f]/gi, (digit, index: number) =>
    index === 14 || index === 19 ? digit : digits.charAt(index) || digit,
  );
}
