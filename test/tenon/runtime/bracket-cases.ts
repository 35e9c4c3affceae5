import { type Case, type Scalar, SCALARS, TEXTS, toValue } from "./agreement-cases.js";

type Pair = readonly [name: string, text: string];

/** A value as somebody writes it. */
interface Sample {
  readonly write: (name: string) => readonly Pair[];
  /** Undefined when a text is no form of its types. */
  readonly want: unknown;
  readonly wantInForm: unknown;
}

interface Type {
  readonly schema: object;
  readonly sample: () => Sample;
}

/** Parameters of the style `deepObject`, of types within types: arrays, objects and unions with an object among them. */
export function createBracketCases(count: number, random: (below: number) => number): readonly Case[] {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const maybe = (percent: number): boolean => random(100) < percent;

  function toScalar({ schema, types }: Scalar): Type {
    const sample = (): Sample => {
      const text = pick(TEXTS);
      const want = toValue(text, types);
      return { write: (name) => [[name, text]], want, wantInForm: want };
    };
    return { schema, sample };
  }

  function toArray(item: Type): Type {
    const sample = (): Sample => {
      const items = Array.from({ length: 1 + random(3) }, () => item.sample());
      const write = (name: string): readonly Pair[] => {
        const groups = items.map(({ write: writeItem }, index) => writeItem(`${name}[${index}]`));
        return maybe(50) ? groups.flat() : groups.reverse().flat();
      };
      return { write, want: all(items.map(({ want }) => want)), wantInForm: all(items.map(inForm)) };
    };
    return { schema: { type: "array", items: item.schema, ...(maybe(50) && { maxItems: 2 }) }, sample };
  }

  /** Items without indexes: with empty brackets, or as a repeated name. */
  function toFlatArray({ schema, types }: Scalar): Type {
    const sample = (): Sample => {
      const texts = Array.from({ length: 1 + random(3) }, () => pick(TEXTS));
      const brackets = maybe(50) ? "[]" : "";
      const empty = brackets === "" && texts.length === 1 && texts[0] === "";
      const want = empty ? [] : all(texts.map((text) => toValue(text, types)));
      return { write: (name) => texts.map((text) => [name + brackets, text]), want, wantInForm: want };
    };
    return { schema: { type: "array", items: schema }, sample };
  }

  function toObject(properties: Readonly<Record<string, Type>>): Type {
    const declared = Object.entries(properties);
    const others = pick([undefined, undefined, false, { type: "integer" }] as const);
    const sample = (): Sample => {
      const present = declared.filter(() => maybe(70));
      const samples = (present.length > 0 ? present : declared).map(([name, type]): [string, Sample] => [
        name,
        type.sample(),
      ]);
      if (maybe(15)) samples.push(["x", toUndeclared(others)]);
      const collect = (read: (sample: Sample) => unknown): unknown => {
        const values = samples.map(([key, value]): [string, unknown] => [key, read(value)]);
        return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
      };
      return {
        write: (name) => samples.flatMap(([key, { write }]) => write(`${name}[${key}]`)),
        want: collect(({ want }) => want),
        wantInForm: collect(inForm),
      };
    };
    const schema = {
      type: "object",
      properties: Object.fromEntries(declared.map(([name, type]) => [name, type.schema])),
      ...(maybe(50) && { required: [declared[0]?.[0]] }),
      ...(others !== undefined && { additionalProperties: others }),
    };
    return { schema, sample };
  }

  function toUndeclared(others: object | false | undefined): Sample {
    const text = pick(TEXTS);
    const typed = toValue(text, ["integer"]);
    const isTyped = typeof others === "object";
    return {
      write: (name) => [[name, text]],
      want: isTyped ? typed : undefined,
      wantInForm: isTyped ? typed : text,
    };
  }

  function toUnion(scalar: Scalar | undefined, array: Scalar | undefined, object: Type | undefined): Type {
    const plain = scalar && toScalar(scalar);
    const list = array && toArray(toScalar(array));
    const choices = [plain, list, object].filter((type) => type !== undefined);
    const sample = (): Sample => {
      const chosen = pick(choices);
      const sampled = chosen.sample();
      if (chosen !== plain || array === undefined || sampled.want !== undefined) return sampled;
      // A text that is no form of the plain types is an array of one, and the empty text one of none.
      const text = sampled.write("")[0]?.[1] ?? "";
      const want = text === "" ? [] : all([toValue(text, array.types)]);
      return { ...sampled, want, wantInForm: want };
    };
    return { schema: { anyOf: choices.map(({ schema }) => schema) }, sample };
  }

  function toType(depth: number): Type {
    const inner = (): Type => toType(depth - 1);
    const kind =
      depth === 0 ? "scalar" : pick(["array", "flat", "object", "object", "union", "union"] as const);
    switch (kind) {
      case "scalar":
        return toScalar(pick(SCALARS));
      case "flat":
        return toFlatArray(pick(SCALARS));
      case "array":
        return toArray(inner());
      case "object":
        return toObject({ a: inner(), b: inner() });
      case "union": {
        const object = toObject({ a: inner(), c: inner() });
        const parts = pick(["plain", "list", "both", "no object"] as const);
        const scalar = parts === "list" ? undefined : pick(SCALARS);
        const array = parts === "plain" ? undefined : pick(SCALARS);
        return toUnion(scalar, array, parts === "no object" ? undefined : object);
      }
    }
  }

  return Array.from({ length: count }, (): Case => {
    const { schema, sample } = toType(1 + random(3));
    const { write, want, wantInForm } = sample();
    const pairs = write("p");
    const encode = maybe(50) ? encodeURIComponent : (name: string) => name;
    const empty = pairs.length === 1 && pairs[0]?.[0] === "p" && pairs[0][1] === "";
    return {
      parameter: { name: "p", in: "query", required: false, style: "deepObject", explode: maybe(50), schema },
      wire: pairs.map(([name, text]) => `${encode(name)}=${encodeURIComponent(text)}`).join("&"),
      want: empty ? undefined : want,
      wantInForm,
    };
  });
}

const inForm = (sample: Sample): unknown => sample.wantInForm;

function all(values: readonly unknown[]): readonly unknown[] | undefined {
  return values.includes(undefined) ? undefined : values;
}
