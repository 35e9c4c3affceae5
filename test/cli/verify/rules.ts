import type { Fault } from "./faults.js";

type Node = Readonly<Record<string, unknown>>;

/** Whether a server has a fault. */
export type Has = (fault: Fault) => boolean;

export const KINDS = ["tool", "toy", "food"];

const DECLARED = ["name", "count", "kind", "note", "size", "tags", "parentId", "secret"];

/** What is wrong with the body of a new thing; undefined when nothing is. Written by hand from things.yaml. */
export function findWrong(thing: unknown, has: Has): string | undefined {
  if (typeof thing !== "object" || thing === null || Array.isArray(thing)) return "a thing is an object";
  const node = thing as Node;
  const unknown = Object.keys(node).find((name) => !DECLARED.includes(name));
  if (unknown !== undefined && !has("takes what is not declared")) return `${unknown} is not known`;
  return (
    findWrongName(node["name"], has) ??
    findWrongCount(node["count"], has) ??
    findWrongKind(node["kind"], has) ??
    findWrongSize(node["size"], has) ??
    findWrongTags(node["tags"], has) ??
    findWrongRest(node, has)
  );
}

function findWrongName(name: unknown, has: Has): string | undefined {
  if (typeof name !== "string") return "name is a text";
  const { length } = Array.from(name);
  if (length === 0 && !has("takes empty names")) return "name is empty";
  if (length > 20 && !has("takes names of any length")) return "name is too long";
  if (has("refuses names beyond ASCII") && /[^ -~]/.test(name)) return "name is strange";
  return undefined;
}

function findWrongCount(count: unknown, has: Has): string | undefined {
  if (count === undefined && has("takes things without count")) return undefined;
  const value = typeof count === "string" && has("takes counts as text") ? 1 : count;
  const isRight = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1000;
  return isRight ? undefined : "count is an integer from 0 to 1000";
}

function findWrongKind(kind: unknown, has: Has): string | undefined {
  if (kind === undefined || has("takes any kind")) return undefined;
  if (kind === "toy" && has("refuses toys")) return "no toys";
  return KINDS.includes(kind as string) ? undefined : "kind is not known";
}

function findWrongSize(size: unknown, has: Has): string | undefined {
  if (size === undefined) return undefined;
  if (typeof size !== "number" || size > 100) return "size is a number up to 100";
  if (size < 0 || (size === 0 && !has("takes a size of 0"))) return "size is more than 0";
  return size % 0.5 === 0 || has("takes any size") ? undefined : "size has halves";
}

function findWrongTags(tags: unknown, has: Has): string | undefined {
  if (tags === undefined) return undefined;
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) return "tags are texts";
  if (tags.length > 3 && !has("takes four tags")) return "too many tags";
  if (new Set(tags).size < tags.length && !has("takes tags twice") && !has("takes four tags"))
    return "a tag is there twice";
  const longest = has("refuses the longest tag") ? 9 : 10;
  return tags.every((tag: string) => tag !== "" && Array.from(tag).length <= longest)
    ? undefined
    : "a tag is too long";
}

function findWrongRest({ note, parentId, secret }: Node, has: Has): string | undefined {
  if (note === undefined && has("wants what is optional")) return "note is required";
  if (note === null && has("refuses null")) return "note is null";
  if (note !== undefined && note !== null && typeof note !== "string") return "note is a text or null";
  if (parentId !== undefined && (!Number.isInteger(parentId) || (parentId as number) < 1))
    return "parentId is an id";
  return secret === undefined || typeof secret === "string" ? undefined : "secret is a text";
}
