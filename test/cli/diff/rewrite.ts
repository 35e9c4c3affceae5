import { getByPointer, isNode, type Node, toNode } from "../../../src/tenon/core/document/index.js";

/** Rewrites of a document that do not change its meaning. */
export const REWRITES: Readonly<Record<string, (document: Node) => Node>> = {
  "with members in another order": (document) => mapNodes(document, reverse) as Node,
  "with references written in place": (document) => inline(document, document, []) as Node,
  "with other names of path parameters": renamePathParameters,
  "with parameters in another order": (document) =>
    mapNodes(document, (node) =>
      Array.isArray(node["parameters"]) ? { ...node, parameters: node["parameters"].toReversed() } : node,
    ) as Node,
  "with allOf around every schema of a body": (document) =>
    mapNodes(document, (node) =>
      isNode(node["schema"]) && node["in"] === undefined
        ? { ...node, schema: { allOf: [node["schema"]] } }
        : node,
    ) as Node,
};

function mapNodes(value: unknown, change: (node: Node) => Node): unknown {
  if (Array.isArray(value)) return value.map((item) => mapNodes(item, change));
  if (!isNode(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapNodes(child, change)])),
  );
}

export function reverse(node: Node): Node {
  return Object.fromEntries(Object.entries(node).toReversed());
}

/** Replaces references by their targets, except circular ones and those that a discriminator names. */
function inline(value: unknown, document: Node, within: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, document, within));
  if (!isNode(value)) return value;
  const { $ref: reference } = value;
  if (typeof reference === "string") {
    const target = getByPointer(document, reference);
    const others = Object.keys(value).length > 1;
    if (within.length > 2 || within.includes(reference) || !isNode(target) || others || isNamed(target))
      return value;
    return inline(target, document, [...within, reference]);
  }
  if ("discriminator" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      key === "components" ? child : inline(child, document, within),
    ]),
  );
}

function isNamed(target: Node): boolean {
  return "discriminator" in target || JSON.stringify(target).includes('"allOf"');
}

function renamePathParameters(document: Node): Node {
  const rename = (name: string) => `its_${name}`;
  const paths = Object.entries(toNode(document["paths"])).map(([template, pathItem]) => [
    template.replace(/\{([^{}]*)\}/g, (_, name: string) => `{${rename(name)}}`),
    pathItem,
  ]);
  return mapNodes({ ...document, paths: Object.fromEntries(paths) as Node }, (node) =>
    node["in"] === "path" ? { ...node, name: rename(String(node["name"])) } : node,
  ) as Node;
}
