import type { FlatSchema } from "../../../values/index.js";

/** Describes the limits of a value: `at least 1, at most 100`, `default 20`. */
export function listFacts(flat: FlatSchema): readonly string[] {
  const { minLength, maxLength, minItems, maxItems, minProperties, maxProperties, multipleOf } = flat;
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
  ];
  return facts.filter((fact) => fact !== undefined);
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
