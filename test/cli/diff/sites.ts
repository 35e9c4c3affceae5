import {
  getOwn,
  isNode,
  joinPointer,
  type Node,
  parsePointer,
  Source,
  toText,
} from "../../../src/tenon/core/document/index.js";

/** A schema whose values decide which messages are valid, and in which direction. */
export interface Site {
  readonly path: readonly string[];
  readonly schema: Node;
  readonly request: boolean;
  readonly response: boolean;
}

/**
 * Finds the schemas that every valid message of some operation has to satisfy where it has such a part. What is below alternatives,
 * `not` and conditions is left out: whether it narrows the whole depends on the rest.
 */
export function findSites(contract: Node): readonly Site[] {
  const sites = new Map<string, { schema: Node; request: boolean; response: boolean }>();
  const source = new Source(contract);
  const raw = (pointer: string) =>
    parsePointer(pointer).reduce<unknown>(
      (value, key) => (isObject(value) ? getOwn(value, key) : undefined),
      contract,
    );

  const visit = (pointer: string, direction: "request" | "response"): void => {
    const node = raw(pointer);
    if (!isNode(node)) return;
    const known = sites.get(pointer);
    if (known?.[direction] === true) return;
    const hidden = direction === "request" ? "readOnly" : "writeOnly";
    if (node[hidden] === true) return;
    const site = known ?? { schema: node, request: false, response: false };
    sites.set(pointer, { ...site, [direction]: true });
    const reference = toText(node["$ref"]);
    // A component with heirs means any of them where it is referred to.
    if (reference !== undefined && !isPolymorphic(raw(reference))) visit(reference, direction);
    if (isPolymorphic(node)) return;
    for (const key of ["items", "additionalProperties"]) visit(joinPointer(pointer, key), direction);
    const { properties } = node;
    for (const name of Object.keys(isNode(properties) ? properties : {}))
      visit(joinPointer(pointer, "properties", name), direction);
  };

  const visitContent = (owner: string, direction: "request" | "response") => {
    const content = raw(joinPointer(owner, "content"));
    for (const [mediaType, value] of Object.entries(isNode(content) ? content : {})) {
      if (isNode(value) && mediaType.includes("json"))
        visit(joinPointer(owner, "content", mediaType, "schema"), direction);
    }
  };

  const paths = contract["paths"] as Node;
  for (const [template, pathItem] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(isNode(pathItem) ? pathItem : {})) {
      if (!isNode(operation) || !/^(?:get|put|post|patch|delete)$/.test(method)) continue;
      const pointer = joinPointer("#/paths", template, method);
      const resolved = (key: string) => {
        const node = raw(joinPointer(pointer, key));
        return isNode(node)
          ? source.resolve({ node, pointer: joinPointer(pointer, key) })?.pointer
          : undefined;
      };
      const body = resolved("requestBody");
      if (body !== undefined) visitContent(body, "request");
      const { responses } = operation;
      for (const status of Object.keys(isNode(responses) ? responses : {})) {
        const node = raw(joinPointer(pointer, "responses", status));
        if (!isNode(node)) continue;
        const target = source.resolve({ node, pointer: joinPointer(pointer, "responses", status) });
        if (target !== undefined) visitContent(target.pointer, "response");
      }
    }
  }
  return [...sites]
    .filter(([, { schema }]) => !("$ref" in schema))
    .map(([pointer, site]) => ({ ...site, path: parsePointer(pointer) }));
}

function isPolymorphic(value: unknown): boolean {
  return isNode(value) && ["discriminator", "oneOf", "anyOf", "allOf"].some((key) => key in value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
