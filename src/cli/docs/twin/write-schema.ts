import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "../../values/index.js";
import { listFacts } from "../render/schema/facts.js";
import { choosePlace, enter, isShown, type Place } from "../render/schema/place.js";
import { readShape, type Shape } from "../render/schema/shape.js";
import { toTypeText } from "../render/schema/type-parts.js";
import { toCode, toFirstParagraph } from "../texts/markdown.js";

/** Lists what is within a schema, as an indented list of Markdown. */
export function writeSchema(schema: Schema, view: SchemaView): readonly string[] {
  return writeShape(readShape(schema, view), view, choosePlace(schema, view));
}

function writeInner(schema: Schema, view: SchemaView, around: Place): readonly string[] {
  const shape = readShape(schema, view);
  return isShown(shape, around) ? writeShape(shape, view, enter(shape, around)) : [];
}

/** @param place Of its members. */
function writeShape(shape: Shape, view: SchemaView, place: Place): readonly string[] {
  const { properties, items, unnamed, flat } = shape;
  return [
    ...properties.flatMap(([key, property]) =>
      writeValue(toCode(key), property, view, { place, required: flat.required?.includes(key) ?? false }),
    ),
    ...unnamed.flatMap(({ label, schema }) => writeValue(label, schema, view, { place, required: false })),
    ...(items === undefined ? [] : writeInner(items, view, place)),
    ...shape.choices.flatMap((list) =>
      list.flatMap(({ label, schema: one }) => [
        `- as ${label}:`,
        ...writeInner(one, view, place).map((line) => `  ${line}`),
      ]),
    ),
  ];
}

/** Writes a value in a line, and what is within it below: `- \`limit\` (integer, at most 100): The number of pets.` */
export function writeValue(
  name: string,
  schema: Schema,
  view: SchemaView,
  options: {
    readonly place?: Place;
    readonly required: boolean;
    readonly description?: string | undefined;
  },
): readonly string[] {
  const { place, required, description } = options;
  const shape = readShape(schema, view);
  const facts = [toTypeText(shape, view), required ? "required" : undefined, ...listLimits(shape)];
  const text = toFirstParagraph(description ?? shape.description ?? "");
  const line = `- ${name} (${facts.filter(Boolean).join(", ")})${text === "" ? "" : `: ${text}`}`;
  const inner = place === undefined ? writeSchema(schema, view) : writeInner(schema, view, place);
  return [line, ...inner.map((text) => `  ${text}`)];
}

function listLimits({ flat }: Shape): readonly string[] {
  const values = flat.enum?.map((value) => toCode(JSON.stringify(value))).join(" ");
  return [
    ...listFacts(flat).map(({ text, code }) => (code === undefined ? text : `${text} ${toCode(code)}`)),
    ...(values === undefined ? [] : [`one of ${values}`]),
  ];
}
