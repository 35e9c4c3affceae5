import { isNode, type Node } from "tenon/core/legacy/document";
import { getByPointer } from "tenon/core/document/pointer";
import { mapMembers } from "../members.js";

/**
 * What a browser renders in a second. The most in an operation of Kubernetes is 20,600, of GitHub 4,900; of Stripe and DocuSign,
 * whose schemas refer to each other in many circles, more than a million, for which no browser has the memory.
 */
const MOST_OBJECTS = 50_000;

/** References within references: more than these are deeper than a stack. */
const DEEPEST = 500;

/**
 * Makes of a part, whose schemas refer to each other so much that to unfold them all takes a browser too long, one that can be
 * shown: of the schemas that its operation refers to, those within them are told by their names. Others stay as they are.
 */
export function shorten(part: Node): Node {
  if (isShort(part)) return part;
  const { components } = part;
  if (!isNode(components) || !isNode(components["schemas"])) return part;
  return {
    ...part,
    components: { ...components, schemas: mapMembers(components["schemas"], nameReferences) },
  };
}

/** Redoc unfolds every reference, other than to what it is within, before it shows anything. */
function isShort(part: Node): boolean {
  const within = new Set<string>();
  let count = 0;
  const visit = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.every(visit);
    if (!isNode(value)) return true;
    count += 1;
    if (count > MOST_OBJECTS || within.size > DEEPEST) return false;
    const { $ref: pointer } = value;
    if (typeof pointer !== "string") return Object.values(value).every(visit);
    if (within.has(pointer)) return true;
    within.add(pointer);
    const isFine = visit(getByPointer(part, pointer));
    within.delete(pointer);
    return isFine;
  };
  return visit({ ...part, components: undefined });
}

function nameReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameReferences);
  if (!isNode(value)) return value;
  const { $ref: pointer } = value;
  if (typeof pointer !== "string") return mapMembers(value, nameReferences);
  const name = pointer.slice(pointer.lastIndexOf("/") + 1);
  return {
    title: name,
    description: `Schema \`${name}\`, which is not unfolded here: there is too much in it.`,
  };
}
