/** A source of numbers from 0 to below a limit. */
export type Random = (limit: number) => number;

type Schema = Readonly<Record<string, unknown>>;

/**
 * Every object declares it and has it: the compiler takes an object for a mistake that shares no property with a type whose
 * properties are all optional, and the validator does not.
 */
const SHARED = { z: { type: "string" } };

export const COMPONENTS: Readonly<Record<string, Schema>> = {
  Size: { type: ["integer", "string"], not: { const: "abc" } },
  Tree: {
    type: "object",
    required: ["a"],
    properties: { ...SHARED, a: { type: "string" }, b: { $ref: "#/components/schemas/Tree" } },
  },
  Cat: {
    type: "object",
    required: ["k"],
    properties: { ...SHARED, k: { type: "string" }, a: { type: "integer" } },
  },
  Dog: {
    type: "object",
    required: ["k", "b"],
    properties: { ...SHARED, k: { type: "string" }, b: { type: "boolean" } },
  },
  Pet: {
    oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
    discriminator: { propertyName: "k", mapping: { cat: "#/components/schemas/Cat" } },
  },
};

const NAMES = ["a", "b", "c", "k", "x-1"];
const PLAIN: readonly unknown[] = [null, true, false, 0, 1, -1, 1.5, 7, "", "a", "abc", "cat", "Dog"];
const TYPES = ["null", "boolean", "integer", "number", "string"];

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error("Nothing to pick from");
  return item;
}

const some = <Item>(items: readonly Item[], random: Random): Item[] => items.filter(() => random(2) === 0);

/** A schema of OpenAPI 3.1 from the keywords that types and validator both have something to say about. */
export function createSchema(random: Random, depth = 3): Schema {
  const inner = () => createSchema(random, depth - 1);
  const leaves: readonly (() => Schema)[] = [
    () => ({ type: pick(TYPES, random) }),
    () => ({ type: [...new Set([pick(TYPES, random), pick(TYPES, random)])] }),
    () => ({ enum: [...new Set([pick(PLAIN, random), pick(PLAIN, random)])] }),
    () => ({ type: "string", enum: ["a", "cat", "abc"] }),
    () => ({ const: pick(PLAIN, random) }),
    () => ({ type: "integer", minimum: 0, maximum: 5 }),
    () => ({}),
    () => ({ $ref: `#/components/schemas/${pick(Object.keys(COMPONENTS), random)}` }),
  ];
  const nodes: readonly (() => Schema)[] = [
    () => createObject(random, inner),
    () => createObject(random, inner),
    () => createObject(random, inner),
    () => ({ ...(random(4) > 0 && { type: "array" }), items: inner(), minItems: random(3) }),
    () => ({ type: "array", prefixItems: [inner(), inner()], ...(random(2) === 0 && { items: false }) }),
    () => ({ allOf: [inner(), inner()] }),
    () => ({ allOf: [createObject(random, inner), createObject(random, inner)] }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({ oneOf: [inner(), inner()] }),
    () => ({ ...createObject(random, inner), anyOf: [inner(), createObject(random, inner)] }),
    () => ({ ...inner(), not: inner() }),
    () => ({ ...createObject(random, inner), if: inner(), then: inner(), else: inner() }),
    () => ({
      type: ["object", "null"],
      properties: { ...SHARED, a: inner() },
      dependentRequired: { a: ["b"] },
    }),
    () => ({ $ref: "#/components/schemas/Tree", required: ["b"] }),
  ];
  return pick(depth > 0 && random(5) > 0 ? nodes : leaves, random)();
}

function createObject(random: Random, inner: () => Schema): Schema {
  const properties = Object.fromEntries(
    some(NAMES, random).map((name) => [
      name,
      random(6) === 0 ? { ...inner(), default: pick(PLAIN, random) } : inner(),
    ]),
  );
  return {
    ...(random(4) > 0 && { type: "object" }),
    properties: { ...SHARED, ...properties },
    ...(random(2) === 0 && { required: some(NAMES, random) }),
    ...(random(4) === 0 && { additionalProperties: random(2) === 0 ? false : inner() }),
    ...(random(6) === 0 && { patternProperties: { "^x-": inner() } }),
    ...(random(8) === 0 && { minProperties: 1 }),
  };
}

/** A value that a schema may well allow; about a quarter of the time it does not try. */
export function createValue(schema: unknown, random: Random, depth = 5): unknown {
  if (typeof schema !== "object" || schema === null || depth === 0 || random(12) === 0)
    return createAny(random, 2);
  const declared = schema as Schema;
  const { $ref, enum: values } = declared;
  if (typeof $ref === "string") {
    const target = createValue(COMPONENTS[$ref.split("/").at(-1) ?? ""], random, depth - 1);
    return merge(target, "required" in declared ? { z: "z", b: { z: "z", a: "abc" } } : undefined);
  }
  if ("const" in declared) return declared["const"];
  if (Array.isArray(values)) return pick(values as unknown[], random);
  const choices = [...toList(declared["oneOf"]), ...toList(declared["anyOf"])];
  const parts = [
    ...toList(declared["allOf"]),
    ...(choices.length > 0 ? [pick(choices, random)] : []),
    ...("if" in declared ? [pick([declared["then"], declared["else"]], random)] : []),
  ].map((part) => createValue(part, random, depth - 1));
  return parts.reduce(merge, createOwn(declared, random, depth));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function createOwn(declared: Schema, random: Random, depth: number): unknown {
  const { properties, items, prefixItems, type } = declared;
  const implied = properties ? "object" : (items ?? prefixItems) ? "array" : [];
  const types = [type ?? implied].flat() as readonly unknown[];
  if (types.length === 0) return undefined;
  switch (pick(types, random)) {
    case "object": {
      const wanted = new Set(toList(declared["required"]) as readonly string[]);
      const named = Object.entries(properties ?? {}).filter(
        ([name]) => name in SHARED || wanted.has(name) || random(3) > 0,
      );
      const others = [...wanted].filter((name) => random(8) > 0 && !named.some(([key]) => key === name));
      return Object.fromEntries([
        ...others.map((name) => [name, createValue(declared["additionalProperties"], random, depth - 1)]),
        ...named.map(([name, property]) => [name, createValue(property, random, depth - 1)]),
      ]) as unknown;
    }
    case "array":
      if (Array.isArray(prefixItems)) return prefixItems.map((item) => createValue(item, random, depth - 1));
      return Array.from({ length: random(4) }, () => createValue(items, random, depth - 1));
    case "null":
      return null;
    case "boolean":
      return random(2) === 0;
    case "integer":
      return random(8) - 1;
    case "number":
      return random(8) / 2;
    default:
      return pick(["", "a", "abc", "cat", "Dog"], random);
  }
}

function createAny(random: Random, depth: number): unknown {
  if (depth === 0 || random(2) === 0) return pick(PLAIN, random);
  if (random(2) === 0) return Array.from({ length: random(3) }, () => createAny(random, depth - 1));
  const members = some(NAMES, random).map((name) => [name, createAny(random, depth - 1)] as const);
  return Object.fromEntries([...members, ["z", "z"]]);
}

function merge(first: unknown, second: unknown): unknown {
  if (first === undefined || second === undefined) return first ?? second;
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject(first) && isObject(second) ? { ...first, ...second } : second;
}
