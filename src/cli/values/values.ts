import fc, { type Arbitrary } from "fast-check";
import { type JsonType, type Schema, typeOf } from "tenon/core/schema";
import { type FlatSchema, flatten, merge, type SchemaView, withoutExamples } from "./flatten.js";
import { toArrays, toObjects } from "./containers.js";
import {
  CHARACTER_SIZE,
  isGenerous,
  LEAN,
  type Leaves,
  type MakeSized,
  type MakeValues,
  MAX_SIZE,
  mix,
  type Place,
  type SizedValues,
  VALUE_SIZE,
  WHOLE,
} from "./place.js";
import { toLeastLength } from "./regexp.js";

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
  /** Called with the pointer of each schema whose smallest value that can be made is too large. */
  readonly onTooLarge?: (pointer: string) => void;
}

const ALL_TYPES: readonly JsonType[] = ["string", "integer", "boolean", "object", "array"];

/**
 * Creates a maker of values that schemas allow, keyword by keyword. A validator has to check the whole, because `not`, an overlap
 * of `oneOf` and the like are ignored.
 */
export function createValues(options: ValuesOptions): MakeValues {
  const { leaves, examples, optional, variety, onTooLarge } = options;
  const fewest = variety === "json" && optional < 1 ? 0 : 1;
  // Many schemas refer to the same one.
  const known = new Map<Schema, Map<string, SizedValues | undefined>>();

  const make: MakeSized = (schema, place) => {
    const byPlace = known.get(schema) ?? new Map<string, SizedValues | undefined>();
    known.set(schema, byPlace);
    const key = `${place.left} ${place.name}`;
    if (!byPlace.has(key)) byPlace.set(key, makeFlat(flatten(schema, options), place));
    return byPlace.get(key);
  };

  /** Leaves out optional parts of a value that would be too large. */
  function makeFlat(flat: FlatSchema, place: Place): SizedValues | undefined {
    const made = makeAnySize(flat, place);
    if (made === undefined || made.size <= MAX_SIZE) return made;
    if (isGenerous(place)) return makeFlat(flat, { ...place, left: LEAN });
    onTooLarge?.(flat.pointer);
    return undefined;
  }

  function makeAnySize(flat: FlatSchema, place: Place): SizedValues | undefined {
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
    if (examples === 1) return given;
    return { values: mix(given.values, made.values, examples), size: Math.max(given.size, made.size) };
  }

  function makeChoice(flat: FlatSchema, place: Place): SizedValues | undefined {
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

  function makeTyped(flat: FlatSchema, place: Place): SizedValues | undefined {
    const types = flat.type ?? (variety === undefined ? guessTypes(flat) : ALL_TYPES);
    const others = types.filter((type) => type !== "null");
    const some = oneOf(others, place, (type, at) => ofType(type, flat, at));
    if (others.length === types.length || variety === "text") return some;
    const none = fc.constant(null);
    if (some === undefined) return { values: none, size: VALUE_SIZE };
    return { ...some, values: mix(some.values, none, optional === 1 ? 1 : 0.9) };
  }

  function ofType(type: JsonType, flat: FlatSchema, place: Place): SizedValues | undefined {
    switch (type) {
      case "null":
        return toLeaf(fc.constant(null));
      case "boolean":
        return toLeaf(fc.boolean());
      case "integer":
      case "number":
        return toLeaf(leaves.numbers(flat, place.name, type === "integer"));
      case "string":
        return ofText(flat, place);
      case "array":
        return toArrays(flat, place, { make, fewest });
      case "object":
        return toObjects(flat, place, { make, names: leaves.names, optional, isOpen: variety !== undefined });
    }
  }

  function ofText(flat: FlatSchema, place: Place): SizedValues | undefined {
    const { minLength = 0, pattern } = flat;
    const size = CHARACTER_SIZE * Math.max(minLength, pattern === undefined ? 0 : toLeastLength(pattern));
    // Creating the maker of a long text takes time, too.
    return toLeaf(size > MAX_SIZE ? fc.constant("") : leaves.strings(flat, place.name), size);
  }

  return (schema, place = WHOLE) => untilOverflow(() => make(schema, place)?.values);
}

/** Calls a function. Returns undefined if the stack overflows: an alternative of a schema is the schema itself. */
function untilOverflow<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Makes values of any of the alternatives; of those with the fewest levels when levels run out. */
function oneOf<Alternative>(
  alternatives: readonly Alternative[],
  place: Place,
  makeOne: (alternative: Alternative, place: Place) => SizedValues | undefined,
): SizedValues | undefined {
  const makeAll = (at: Place) => alternatives.flatMap((alternative) => makeOne(alternative, at) ?? []);
  let possible = isGenerous(place) ? makeAll(place) : [];
  for (let left = 0; left <= place.left && possible.length === 0; left += 1)
    possible = makeAll({ ...place, left });
  const [only] = possible;
  if (possible.length < 2) return only;
  return {
    values: fc.oneof(...possible.map(({ values }) => values)),
    size: Math.max(...possible.map(({ size }) => size)),
  };
}

function toLeaf(values: Arbitrary<unknown> | undefined, size = 0): SizedValues | undefined {
  return values && { values, size: VALUE_SIZE + size };
}

function toConstants(values: readonly unknown[]): SizedValues | undefined {
  if (values.length === 0) return undefined;
  const lengths = values.map((value) => JSON.stringify(value).length);
  return toLeaf(fc.constantFrom(...values), Math.max(...lengths));
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
