import { createHash } from "node:crypto";
import { isObject } from "../values/schema.js";

/** A pet, say: what was sent of it, and what the service adds. */
export type Thing = Readonly<Record<string, unknown>>;

/** Things by their id as a path has it. */
export type Collection = Map<string, Thing>;

/** Members that say how many things there are. */
const TOTALS = new Set(["total", "count", "totalCount", "total_count", "totalItems", "total_items"]);

/** The things of a list's body: it is an array, or an object with one array in it. Undefined where it is neither. */
export function findThings(body: unknown, key: string): readonly Thing[] | undefined {
  const name = findListName(body);
  const list = name === undefined ? body : (body as Thing)[name];
  if (!Array.isArray(list)) return undefined;
  return (list as readonly unknown[]).filter((thing): thing is Thing => isObject(thing) && isId(thing[key]));
}

/** The same body with other things. */
export function putThings(body: unknown, things: readonly Thing[]): unknown {
  const name = findListName(body);
  if (name === undefined || !isObject(body)) return things;
  const totals = Object.keys(body).filter((member) => TOTALS.has(member) && typeof body[member] === "number");
  return { ...body, ...Object.fromEntries(totals.map((member) => [member, things.length])), [name]: things };
}

function findListName(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const [name, ...others] = Object.keys(body).filter((member) => Array.isArray(body[member]));
  return others.length === 0 ? name : undefined;
}

export function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** An id that no thing has, of the kind of another one: a number where that is none. */
export function toNextId(like: unknown, collection: Collection): string | number {
  if (typeof like !== "string")
    return 1 + Math.max(0, ...[...collection.keys()].map(Number).filter(Number.isSafeInteger));
  for (let count = collection.size + 1; ; count += 1) {
    const id = toTextId(like, count);
    if (!collection.has(id)) return id;
  }
}

/** `pet-7` as `pet-8`, and digits of a UUID or hash as others. */
function toTextId(like: string, count: number): string {
  if (!/^[\da-f-]{8,}$/i.test(like)) return `${like.replace(/\d+$/, "")}${count}`;
  const digits = createHash("sha512").update(`${like} ${count}`).digest("hex");
  // The digits of a UUID that say its version and variant stay.
  return like.replace(/[\da-f]/gi, (digit, index: number) =>
    index === 14 || index === 19 ? digit : digits.charAt(index) || digit,
  );
}
