import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";

/** openapi/v1.yaml as parsed, references left in place. */
export const document: unknown = parseYaml(readFileSync("openapi/v1.yaml", "utf8"));

/** The value at the given keys, with every reference on the way followed; `undefined` when there is none. */
export function at(...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((node, key) => toTarget(property(node, key)), document);
}

/** The value at the given keys with all references inside it replaced by their targets. The contract has no circular one. */
export function deepAt(...keys: readonly string[]): unknown {
  return toTree(at(...keys));
}

/** Every string value called `description` below a node, joined. */
export function descriptionsIn(node: unknown): string {
  if (typeof node !== "object" || node === null) return "";
  return Object.entries(node)
    .map(([key, value]) =>
      key === "description" && typeof value === "string" ? value : descriptionsIn(value),
    )
    .join("\n");
}

function property(node: unknown, key: string): unknown {
  return typeof node === "object" && node !== null && Object.hasOwn(node, key)
    ? (node as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** Keywords beside a `$ref` of a schema apply too (JSON Schema 2020-12); they win, as a description of its own does. */
function toTarget(node: unknown): unknown {
  const reference = property(node, "$ref");
  if (typeof reference !== "string") return node;
  const target = at(...reference.replace(/^#\//, "").split("/"));
  if (typeof target !== "object")
    throw new Error(`Expected ${reference} to exist in openapi/v1.yaml; found nothing.`);
  const siblings = Object.entries(node as object).filter(([key]) => key !== "$ref");
  return { ...target, ...Object.fromEntries(siblings) };
}

function toTree(node: unknown): unknown {
  const target = toTarget(node);
  if (Array.isArray(target)) return target.map(toTree);
  if (typeof target !== "object" || target === null) return target;
  return Object.fromEntries(Object.entries(target).map(([key, value]) => [key, toTree(value)]));
}
