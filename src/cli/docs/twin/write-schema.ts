import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "../../values/index.js";
import { listFacts } from "../render/facts.js";
import { readShape, type Shape } from "../render/schema-shape.js";
import { toTypeText } from "../render/type-parts.js";
import { toCode, toFirstParagraph } from "../texts/markdown.js";

/** Levels of members; deeper ones are described by the name of their component. */
const MAX_DEPTH = 4;

/** Lists what is within a schema, as an indented list of Markdown. */
export function writeInner(
  schema: Schema,
  view: SchemaView,
  within: readonly string[] = [],
): readonly string[] {
  const shape = readShape(schema, view);
  const { flat, choices, name } = shape;
  const inside = name === undefined ? within : [...within, name];
  if (inside.length > MAX_DEPTH + 4 || (name !== undefined && within.includes(name))) return [];
  const { properties = {}, required = [], items, additionalProperties } = flat;
  const members = Object.entries(properties).filter(([, property]) => property.never !== true);
  return [
    ...members.flatMap(([key, property]) =>
      writeValue(toCode(key), property, view, { within: inside, required: required.includes(key) }),
    ),
    ...(additionalProperties !== undefined && additionalProperties.never !== true
      ? writeValue("any other name", additionalProperties, view, { within: inside, required: false })
      : []),
    ...(items !== undefined && items.never !== true ? writeInner(items, view, inside) : []),
    ...choices.flatMap((list) =>
      list.flatMap(({ label, schema: one }) => [
        `- as ${label}:`,
        ...writeInner(one, view, inside).map((line) => `  ${line}`),
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
    readonly within?: readonly string[];
    readonly required: boolean;
    readonly description?: string | undefined;
  },
): readonly string[] {
  const { within = [], required, description } = options;
  const shape = readShape(schema, view);
  const facts = [toTypeText(shape, view), required ? "required" : undefined, ...listLimits(shape)];
  const text = toFirstParagraph(description ?? shape.description ?? "");
  const line = `- ${name} (${facts.filter(Boolean).join(", ")})${text === "" ? "" : `: ${text}`}`;
  if (within.length >= MAX_DEPTH) return [line];
  return [line, ...writeInner(schema, view, within).map((inner) => `  ${inner}`)];
}

function listLimits({ flat }: Shape): readonly string[] {
  const values = flat.enum?.map((value) => toCode(JSON.stringify(value))).join(" ");
  return [
    ...listFacts(flat),
    ...(flat.pattern === undefined ? [] : [`matches ${toCode(flat.pattern)}`]),
    ...("default" in flat ? [`default ${toCode(JSON.stringify(flat.default))}`] : []),
    ...(values === undefined ? [] : [`one of ${values}`]),
  ];
}
