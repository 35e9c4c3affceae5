import { countUnfolded, isNode, mapReferences, type Node } from "tenon/core/document";

/**
 * Objects that a browser renders in a second. An operation of Kubernetes has up to 20,600, of GitHub 4,900; of Stripe and DocuSign,
 * whose schemas refer to each other in many circles, more than a million, for which no browser has the memory.
 */
const MAX_OBJECTS = 50_000;

/**
 * Shortens a part whose schemas refer to each other so much that a browser cannot unfold them, as Redoc does with every reference: the
 * schemas that its operation refers to have names in place of the schemas within them. Other parts stay as they are.
 */
export function shorten(part: Node): Node {
  const { components } = part;
  if (
    countUnfolded(part, MAX_OBJECTS) <= MAX_OBJECTS ||
    !isNode(components) ||
    !isNode(components["schemas"])
  )
    return part;
  const schemas = Object.entries(components["schemas"]).map(([name, schema]) => [
    name,
    mapReferences(schema, nameSchema),
  ]);
  return { ...part, components: { ...components, schemas: Object.fromEntries(schemas) as Node } };
}

function nameSchema(reference: string): Node {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return {
    title: name,
    description: `Schema \`${name}\`, which is not unfolded here: there is too much in it.`,
  };
}
