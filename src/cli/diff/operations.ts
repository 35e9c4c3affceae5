import { isNode, type Located, members } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import type { View } from "./view.js";

/** Methods that an operation may have; those of `model.ts`, which is about what can be served. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export interface OperationView extends Located {
  /** `GET /pets/{petId}`. */
  readonly label: string;
  readonly pathItem: Located;
  /** Names of the template's parameters, in order. */
  readonly parameterNames: readonly string[];
}

/** Every operation by its method and path, whose parameters count by their places: `GET /pets/{}`. */
export function listOperations(view: View, key: "paths" | "webhooks"): ReadonlyMap<string, OperationView> {
  return new Map(
    members(view.root, key).flatMap(({ name, node, pointer }) =>
      listOfPathItem(name, view.resolve({ node, pointer })).map((operation): [string, OperationView] => [
        operation.label.replace(/\{[^{}]*\}/g, "{}"),
        operation,
      ]),
    ),
  );
}

export function listOfPathItem(template: string, pathItem: Located): readonly OperationView[] {
  return METHODS.flatMap((method) => {
    const node = getOwn(pathItem.node, method);
    if (!isNode(node)) return [];
    return {
      node,
      pointer: joinPointer(pathItem.pointer, method),
      label: `${method.toUpperCase()} ${template}`,
      pathItem,
      parameterNames: [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name),
    };
  });
}
