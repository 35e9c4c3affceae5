import { createHash } from "node:crypto";
import { isNode } from "tenon/core/document";

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

/** Replaces the resources of a body. */
export function putResources(body: unknown, resources: readonly Resource[]): unknown {
  const name = findListName(body);
  if (name === undefined || !isNode(body)) return resources;
  const totals = Object.keys(body).filter((member) => TOTALS.has(member) && typeof body[member] === "number");
  return {
    ...body,
    ...Object.fromEntries(totals.map((member) => [member, resources.length])),
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
  const digits = createHash("sha512").update(`${like} ${count}`).digest("hex");
  // A UUID keeps its version and variant.
  return like.replace(/[\da-f]/gi, (digit, index: number) =>
    index === 14 || index === 19 ? digit : digits.charAt(index) || digit,
  );
}
