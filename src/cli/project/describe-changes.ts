import { isNode, members, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import { HTTP_METHODS } from "tenon/core/legacy/model";

/**
 * Tells in words what is different between two bundled documents: operations and components that were added, removed or
 * changed, such as `added operation GET /pets (listPets)`. An operation counts as changed when it or its path item's
 * parameters are written differently; a component it refers to has a line of its own.
 * @param before Text of the contract.json that is replaced; empty when there is none.
 * @param after Text of the one that replaces it.
 */
export function describeChanges(before: string, after: string): readonly string[] {
  const old = listParts(before);
  const current = listParts(after);
  const removed = [...old.keys()].filter((name) => !current.has(name)).map((name) => `removed ${name}`);
  const others = [...current].flatMap(([name, text]) => {
    if (!old.has(name)) return [`added ${name}`];
    return old.get(name) === text ? [] : [`changed ${name}`];
  });
  return [...removed, ...others];
}

/** Label of each operation and component to its text. */
function listParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const document = parse(text);
  if (!isNode(document)) return parts;
  for (const { name: path, node: pathItem } of members({ node: document, pointer: "#" }, "paths")) {
    for (const method of HTTP_METHODS) {
      const operation = getOwn(pathItem, method);
      if (!isNode(operation)) continue;
      const id = toText(operation["operationId"]);
      const label = `operation ${method.toUpperCase()} ${path}${id === undefined ? "" : ` (${id})`}`;
      parts.set(label, JSON.stringify([operation, pathItem["parameters"]]));
    }
  }
  const components = getOwn(document, "components");
  if (!isNode(components)) return parts;
  for (const kind of Object.keys(components)) {
    for (const { name, node } of members({ node: components, pointer: "#/components" }, kind)) {
      parts.set(`component ${kind}/${name}`, JSON.stringify(node));
    }
  }
  return parts;
}

/** What replaces a damaged contract.json is all new. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
