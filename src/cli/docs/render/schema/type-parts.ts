import type { SchemaView } from "../../../values/index.js";
import { isConditional, readShape, type Shape } from "./shape.js";

/** A part of a type's name: text, a component with a place of its own, or a format. */
export interface TypePart {
  readonly text: string;
  readonly kind: "text" | "component" | "format";
}

/** Lists the parts of a type's name: `array of Pet`, `string (date) or null`. */
export function listTypeParts(shape: Shape, view: SchemaView): readonly TypePart[] {
  const own =
    shape.name === undefined ? listOwn(shape, view) : [{ text: shape.name, kind: "component" as const }];
  return shape.canBeNull ? [...own, toPart(" or null")] : own;
}

function listOwn({ flat, items, types, choices }: Shape, view: SchemaView): readonly TypePart[] {
  const { never, format, contentMediaType = format } = flat;
  if (never === true) return [toPart("nothing")];
  if (types.length === 0) {
    const alternatives = choices.filter((list) => !isConditional(list)).flat();
    return alternatives.length === 0
      ? [toPart("anything")]
      : [toPart(`one of ${alternatives.map(({ label }) => label).join(", ")}`)];
  }
  const parts = types.flatMap((type, index) => {
    const isList = type === "array" && items !== undefined;
    const own = isList
      ? [toPart("array of "), ...listTypeParts(readShape(items, view), view)]
      : [toPart(type)];
    return index === 0 ? own : [toPart(" or "), ...own];
  });
  return contentMediaType === undefined ? parts : [...parts, { text: contentMediaType, kind: "format" }];
}

function toPart(text: string): TypePart {
  return { text, kind: "text" };
}
