import { getOwn, isNode, joinPointer, type Located } from "../../contract/document.js";
import { toConjunction } from "./conjunction.js";
import type { Kind, Opaque } from "./shape.js";
import { toCanonical } from "./values.js";

/** Keywords that are only compared, by the kinds of values that they are about. */
const OF_ALL = ["not", "if", "then", "else", "$dynamicRef", "$recursiveRef"];
const OF_KIND: Readonly<Record<Kind, readonly string[]>> = {
  boolean: [],
  number: [],
  string: ["contentSchema"],
  array: ["contains", "minContains", "maxContains", "unevaluatedItems"],
  object: ["propertyNames", "dependentRequired", "dependentSchemas", "dependencies"],
};

export function readOpaque(kind: Kind, { node, pointer }: Located): readonly Opaque[] {
  return [...OF_ALL, ...OF_KIND[kind]].flatMap((keyword): Opaque[] => {
    const value = getOwn(node, keyword);
    if (value === undefined) return [];
    const at = joinPointer(pointer, keyword);
    const isSchema = isNode(value) && !keyword.startsWith("depend");
    return [
      isSchema
        ? { keyword, schema: toConjunction([{ node: value, pointer: at }]), pointer: at }
        : { keyword, text: toCanonical(value), pointer: at },
    ];
  });
}
