import { isNode, type Located, members } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
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
  object: ["propertyNames", "dependentRequired"],
};

export function readOpaque(kind: Kind, { node, pointer }: Located): readonly Opaque[] {
  const own = [...OF_ALL, ...OF_KIND[kind]].flatMap((keyword): Opaque[] => {
    const value = getOwn(node, keyword);
    if (value === undefined) return [];
    const at = joinPointer(pointer, keyword);
    const isSchema = isNode(value) && keyword !== "dependentRequired";
    return [
      isSchema
        ? { keyword, schema: toConjunction([{ node: value, pointer: at }]), pointer: at }
        : { keyword, text: toCanonical(value), pointer: at },
    ];
  });
  if (kind !== "object") return own;
  const dependent = ["dependentSchemas", "dependencies"].flatMap((key) =>
    members({ node, pointer }, key).map(({ name, ...schema }): Opaque => {
      return { keyword: `${key} of ${name}`, schema: toConjunction([schema]), pointer: schema.pointer };
    }),
  );
  return [...own, ...dependent];
}
