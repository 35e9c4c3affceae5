import fc, { type Arbitrary } from "fast-check";
import { type Document, type Schema, follow } from "./contract.js";

/**
 * Values for schemas: types, bounds, `enum`, `const`, patterns that fast-check can read, the formats date, date-time, uuid, int32
 * and int64, objects, arrays and simple unions. Not generated for: `not`, `if`, `prefixItems`, `patternProperties`,
 * `dependent…`, `unevaluated…`, `contains`, other formats, `minProperties`, and recursion below the third level.
 */
export interface Values {
  /** Fits the schema, as far as its keywords are among those above. */
  valid(schema: Schema): Arbitrary<unknown>;
  /** Has one thing wrong, mostly; a union or an open object may take it all the same. */
  spoilt(schema: Schema): Arbitrary<unknown>;
}

/** From this level on only what is required is made. */
const DEEPEST = 3;

/** What most texts consist of, none of it reserved in URLs. */
const CHARACTERS = ["a", "b", "z", "A", "Z", "0", "1", "9", " ", "-", "_", ".", "~"];

export function createValues(document: Document): Values {
  function valid(reference: Schema, depth = 0): Arbitrary<unknown> {
    const schema = follow(document, reference);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives !== undefined) return fc.oneof(...alternatives.map((one) => valid(one, depth)));
    if (schema.allOf !== undefined) {
      const parts = schema.allOf.map((one) => valid(one, depth));
      return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as unknown);
    }
    const types = typesOf(schema);
    if (types.length === 0) return fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    return fc.oneof(...types.map((type) => ofType(type, schema, depth)));
  }

  function ofType(type: string, schema: Schema, depth: number): Arbitrary<unknown> {
    switch (type) {
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "integer":
        return integer(schema);
      case "number":
        return number(schema);
      case "string":
        return string(schema);
      case "array": {
        const { items = {}, minItems: minLength = 0, maxItems = minLength + 4 } = schema;
        const options = { minLength, maxLength: depth >= DEEPEST ? minLength : maxItems };
        const item = valid(items, depth + 1);
        return schema.uniqueItems === true
          ? fc.uniqueArray(item, { ...options, selector: JSON.stringify })
          : fc.array(item, options);
      }
      default:
        return object(schema, depth);
    }
  }

  function object(schema: Schema, depth: number): Arbitrary<object> {
    const { properties = {}, required = [], additionalProperties } = schema;
    const names = Object.keys(properties).filter((name) => depth < DEEPEST || required.includes(name));
    const members = Object.fromEntries(names.map((name) => [name, valid(properties[name] ?? {}, depth + 1)]));
    const declared = fc.record(members, {
      requiredKeys: required.filter((name) => name in members),
      noNullPrototype: true,
    });
    if (typeof additionalProperties !== "object" || depth >= DEEPEST) return declared;
    const others = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), valid(additionalProperties, depth + 1), {
      maxKeys: 2,
      noNullPrototype: true,
    });
    return fc.tuple(others, declared).map(([more, known]) => ({ ...more, ...known }));
  }

  function spoilt(reference: Schema, depth = 0): Arbitrary<unknown> {
    const schema = follow(document, reference);
    const ways: Arbitrary<unknown>[] = [fc.constantFrom(null, "", "x", "1", "true", 0, 1.5, true, [], {})];
    const parts = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
    for (const part of parts) ways.push(spoilt(part, depth));
    if (schema.enum !== undefined) ways.push(fc.constantFrom("nothing", -1, "UP"));
    const past = pastBounds(schema);
    if (past.length > 0) ways.push(fc.constantFrom(...past));
    if (schema.items !== undefined && depth < DEEPEST)
      ways.push(...spoiltArrays(schema, schema.items, depth));
    if (schema.properties !== undefined && depth < DEEPEST) ways.push(...spoiltObjects(schema, depth));
    return fc.oneof(...ways);
  }

  function spoiltArrays(schema: Schema, items: Schema, depth: number): Arbitrary<unknown>[] {
    const { minItems = 0, maxItems = 4 } = schema;
    const item = valid(items, depth + 1);
    return [
      fc.array(item, { minLength: maxItems + 1, maxLength: maxItems + 1 }),
      fc.array(item, { maxLength: Math.max(minItems - 1, 0) }),
      item.map((value) => [value, value]),
      spoilt(items, depth + 1).map((value) => [value]),
    ];
  }

  function spoiltObjects(schema: Schema, depth: number): Arbitrary<unknown>[] {
    const { properties = {}, required = [] } = schema;
    const whole = object(schema, depth);
    const without = required.map((name) =>
      whole.map((value) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
    );
    const wrong = Object.entries(properties).map(([name, property]) =>
      fc.tuple(whole, spoilt(property, depth + 1)).map(([value, bad]) => ({ ...value, [name]: bad })),
    );
    return [...without, fc.oneof(...wrong), whole.map((value) => ({ ...value, unknownMember: 1 }))];
  }

  return { valid: (schema) => valid(schema), spoilt: (schema) => spoilt(schema) };
}

function typesOf({ type = [], nullable = false, properties, items }: Schema): readonly string[] {
  const named = typeof type === "string" ? [type] : type;
  if (named.length > 0) return nullable ? [...named, "null"] : named;
  if (properties !== undefined) return ["object"];
  return items === undefined ? [] : ["array"];
}

function integer(schema: Schema): Arbitrary<number> {
  const { multipleOf = 1 } = schema;
  const widest = schema.format === "int32" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  const lowest = schema.minimum ?? (schema.exclusiveMinimum ?? -widest - 1) + 1;
  const highest = schema.maximum ?? (schema.exclusiveMaximum ?? widest + 1) - 1;
  return fc
    .integer({ min: Math.ceil(lowest / multipleOf), max: Math.floor(highest / multipleOf) })
    .map((count) => count * multipleOf + 0);
}

function number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Arbitrary<number> {
  const options = {
    noNaN: true,
    noDefaultInfinity: true,
    min: minimum ?? exclusiveMinimum ?? -1e9,
    max: maximum ?? exclusiveMaximum ?? 1e9,
    minExcluded: exclusiveMinimum !== undefined,
    maxExcluded: exclusiveMaximum !== undefined,
  };
  // JSON has no negative zero to tell from zero.
  return fc.double(options).map((value) => (value === 0 ? 0 : value));
}

function string({ minLength = 0, maxLength = minLength + 12, pattern, format }: Schema): Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === "uuid") return fc.uuid();
  const year = { min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true };
  if (format === "date") return fc.date(year).map((date) => date.toISOString().slice(0, 10));
  if (format === "date-time") return fc.date(year).map((date) => date.toISOString());
  const options = { minLength, maxLength };
  return fc.oneof(
    { arbitrary: fc.string({ ...options, unit: fc.constantFrom(...CHARACTERS) }), weight: 5 },
    { arbitrary: fc.string(options), weight: 1 },
    { arbitrary: fc.string({ ...options, unit: "grapheme" }), weight: 1 },
  );
}

/** Values of the right type just past each bound, and texts that no format or pattern takes. */
function pastBounds(schema: Schema): unknown[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, multipleOf } = schema;
  const values: unknown[] = [];
  if (minimum !== undefined) values.push(minimum - 1, minimum - 0.5);
  if (maximum !== undefined) values.push(maximum + 1, maximum + 0.5);
  if (exclusiveMinimum !== undefined) values.push(exclusiveMinimum);
  if (exclusiveMaximum !== undefined) values.push(exclusiveMaximum);
  if (multipleOf !== undefined) values.push(multipleOf + 1);
  if (minLength !== undefined && minLength > 0) values.push("a".repeat(minLength - 1));
  if (maxLength !== undefined) values.push("a".repeat(maxLength + 1));
  if (schema.format === "int32") values.push(2 ** 31, -(2 ** 31) - 1);
  if (schema.format === "date") values.push("2026-13-01", "2026-1-1", "2026-02-30", "yesterday");
  if (schema.format === "date-time") values.push("2026-11-21", "2026-11-21T25:00:00Z", "2026-11-21T10:00:00");
  if (schema.format === "uuid") values.push("0000", "123e4567-e89b-12d3-a456-42661417400g");
  if (schema.pattern !== undefined) values.push("?", "a b");
  return values;
}
