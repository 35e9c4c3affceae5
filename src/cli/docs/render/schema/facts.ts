import type { FlatSchema } from "../../../values/index.js";
import { remember } from "../../remember.js";

/** A fact about a value: `at most 100`, or `default` with the code `20`. */
export interface Fact {
  readonly text: string;
  readonly code?: string;
}

/**
 * Lists the limits of a value, the members that it needs, its pattern and its default. A page and its Markdown have the same ones, and
 * pages repeat schemas.
 */
export const listFacts = remember((flat: FlatSchema): readonly Fact[] => {
  const { pattern, minLength, maxLength, minItems, maxItems, minProperties, maxProperties, multipleOf } =
    flat;
  const facts = [
    toRange(
      say("at least", flat.minimum) ?? say("more than", flat.exclusiveMinimum),
      say("at most", flat.maximum) ?? say("less than", flat.exclusiveMaximum),
    ),
    say("a multiple of", multipleOf),
    toCount(minLength, maxLength, "character"),
    toCount(minItems, maxItems, "item"),
    flat.uniqueItems === true ? "items differ" : undefined,
    toCount(minProperties, maxProperties, "member"),
    (flat.additionalProperties?.never ?? flat.unevaluatedProperties?.never) ? "no other members" : undefined,
    flat.prefixItems && flat.items?.never ? "no other items" : undefined,
  ];
  const unknown = (flat.required ?? []).filter((name) => !Object.hasOwn(flat.properties ?? {}, name));
  const needs = [["needs", unknown] as const, ...toNeeds(flat.dependentRequired ?? {})];
  return [
    ...facts.flatMap((text) => (text === undefined ? [] : [{ text }])),
    ...needs.flatMap(([text, names]) => (names.length === 0 ? [] : [{ text, code: names.join(", ") }])),
    ...(pattern === undefined ? [] : [{ text: "matches", code: pattern }]),
    ...("default" in flat ? [{ text: "default", code: JSON.stringify(flat.default) }] : []),
  ];
});

function toNeeds(dependent: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(dependent).map(([name, others]) => [`${name} needs`, others] as const);
}

function say(text: string, value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${text} ${value}`;
}

function toRange(from: string | undefined, to: string | undefined, unit = ""): string | undefined {
  return from === undefined && to === undefined ? undefined : [from, to].filter(Boolean).join(", ") + unit;
}

function toCount(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const units = (most ?? least) === 1 ? ` ${unit}` : ` ${unit}s`;
  if (least !== undefined && least === most) return `${least}${units}`;
  return toRange(least === 0 ? undefined : say("at least", least), say("at most", most), units);
}

/** Lists the values that are known, each with its meaning where the contract has it. The title says whether there may be others. */
export function listValues({ enum: allowed, extensibleEnum = [], enumDescriptions = {} }: FlatSchema) {
  const values = (allowed ?? extensibleEnum).map((value) => ({
    text: typeof value === "string" ? value : JSON.stringify(value),
    meaning: Object.hasOwn(enumDescriptions, String(value)) ? enumDescriptions[String(value)] : undefined,
  }));
  const title = allowed === undefined ? "Known values:" : values.length === 1 ? "Always" : "One of";
  return { title, values };
}
