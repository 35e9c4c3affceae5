import fc, { type Arbitrary } from "fast-check";
import { type JsonType, type Schema, typeOf } from "tenon/core/schema";
import { type FlatSchema, flatten, merge, type SchemaView, withoutExamples } from "./flatten.js";
import { toArrays, toObjects } from "./containers.js";
import { isGenerous, type Leaves, type MakeValues, mix, type Place, WHOLE } from "./place.js";

export interface ValuesOptions extends SchemaView {
  readonly leaves: Leaves;
  /** The share of values with an example or default that are one: 0 to 1. */
  readonly examples: number;
  /** The share of optional properties that are present: 0 to 1. */
  readonly optional: number;
  /**
   * Makes values of every type and length that the schema leaves open, as JSON or as text, which has no null (RFC 6570, section 2.3)
   * and no empty array. Default: values that the author most likely means.
   */
  readonly variety?: "json" | "text";
}

const ALL_TYPES: readonly JsonType[] = ["string", "integer", "boolean", "object", "array"];

/**
 * Creates a maker of values that schemas allow, keyword by keyword. A validator has to check the whole, because `not`, an overlap
 * of `oneOf` and the like are ignored.
 */
export function createValues(options: ValuesOptions): MakeValues {
  const { leaves, examples, optional, variety } = options;
  const fewest = variety === "json" && optional < 1 ? 0 : 1;
  // Many schemas refer to the same one.
  const known = new Map<Schema, Map<string, Arbitrary<unknown> | undefined>>();

  const make: MakeValues = (schema, place = WHOLE) => {
    const byPlace = known.get(schema) ?? new Map<string, Arbitrary<unknown> | undefined>();
    known.set(schema, byPlace);
    const key = `${place.left} ${place.name}`;
    if (!byPlace.has(key)) byPlace.set(key, makeFlat(flatten(schema, options), place));
    return byPlace.get(key);
  };

  function makeFlat(flat: FlatSchema, place: Place): Arbitrary<unknown> | undefined {
    if (flat.never || place.left < 0) return undefined;
    const made =
      flat.enum === undefined
        ? makeChoice(flat, place)
        : toConstants(
            flat.enum.filter(
              (value) =>
                (flat.type?.some((type) => isOfType(value, type)) ?? true) &&
                (value !== null || variety !== "text"),
            ),
          );
    const given =
      examples > 0
        ? toConstants(flat.examples ?? (flat.default === undefined ? [] : [flat.default]))
        : undefined;
    if (given === undefined || made === undefined) return made;
    return examples === 1 ? given : mix(given, made, examples);
  }

  function makeChoice(flat: FlatSchema, place: Place): Arbitrary<unknown> | undefined {
    const { choices: [choices, ...more] = [], ...own } = flat;
    if (choices === undefined) return makeTyped(flat, place);
    const rest = withoutExamples({ ...own, ...(more.length > 0 && { choices: more }) });
    const isPart = Object.keys(rest).some((key) => key !== "pointer");
    const alternatives = choices.map((choice) => {
      const chosen = flatten(choice, options);
      return merge(rest, isPart ? withoutExamples(chosen) : chosen);
    });
    return oneOf(alternatives, place, makeFlat);
  }

  function makeTyped(flat: FlatSchema, place: Place): Arbitrary<unknown> | undefined {
    const types = flat.type ?? (variety === undefined ? guessTypes(flat) : ALL_TYPES);
    const others = types.filter((type) => type !== "null");
    const some = oneOf(others, place, (type, at) => ofType(type, flat, at));
    if (others.length === types.length || variety === "text") return some;
    const none = fc.constant(null);
    return some === undefined ? none : mix(some, none, optional === 1 ? 1 : 0.9);
  }

  function ofType(type: JsonType, flat: FlatSchema, place: Place): Arbitrary<unknown> | undefined {
    switch (type) {
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "integer":
      case "number":
        return leaves.numbers(flat, place.name, type === "integer");
      case "string":
        return leaves.strings(flat, place.name);
      case "array":
        return toArrays(flat, place, { make, fewest });
      case "object":
        return toObjects(flat, place, { make, leaves, optional, isOpen: variety !== undefined });
    }
  }

  return make;
}

/** Makes values of any of the alternatives; of those with the fewest levels when levels run out. */
function oneOf<Alternative>(
  alternatives: readonly Alternative[],
  place: Place,
  makeOne: (alternative: Alternative, place: Place) => Arbitrary<unknown> | undefined,
): Arbitrary<unknown> | undefined {
  const makeAll = (at: Place) => alternatives.flatMap((alternative) => makeOne(alternative, at) ?? []);
  let possible = isGenerous(place) ? makeAll(place) : [];
  for (let left = 0; left <= place.left && possible.length === 0; left += 1)
    possible = makeAll({ ...place, left });
  const [only] = possible;
  return possible.length > 1 ? fc.oneof(...possible) : only;
}

function toConstants(values: readonly unknown[]): Arbitrary<unknown> | undefined {
  return values.length === 0 ? undefined : fc.constantFrom(...values);
}

/** Tests whether a value has a type; 1 is an integer and a number. */
export function isOfType(value: unknown, type: JsonType): boolean {
  const own = typeOf(value);
  return own === type || (type === "number" && own === "integer");
}

/** The types that an author most likely means without stating one. */
function guessTypes(flat: FlatSchema): readonly JsonType[] {
  const has = (...keys: readonly (keyof FlatSchema)[]) => keys.some((key) => flat[key] !== undefined);
  if (has("properties", "required", "additionalProperties", "minProperties")) return ["object"];
  if (has("items", "prefixItems", "minItems", "uniqueItems")) return ["array"];
  if (has("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")) return ["number"];
  return ["string"];
}
