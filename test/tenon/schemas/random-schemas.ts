/** A source of numbers from 0 to below a limit. */
export type Random = (limit: number) => number;

type Schema = Readonly<Record<string, unknown>> | boolean;

export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % limit;
  };
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item;
}

const NAMES = ["a", "b", "kind", "constructor", "__proto__", "x/y~z", "items"];
const TEXTS = ["", "a", "abc", "cat", "dog", "😀", "2026-02-30", "2026-02-28", "a@b.c", "::1", "x-1"];
const NUMBERS = [0, -0, 1, -1, 1.5, 0.3, 19.99, 7, 100, 2 ** 31, 2 ** 53, 1e300];
const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
const PATTERNS = ["^a", "b$", "^x-", ".", "[a-z\\_]"];
const FORMATS = [
  ...["date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference"],
  ...["uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex", "byte", "int32", "int64"],
  ...["float", "double", "password", "binary", "url", "phone"],
];

export const COMPONENTS = ["Tree", "Cat", "Dog", "Pet", "Settings", "Account", "Base", "Heir", "Random"];

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Components with what random schemas rarely have: recursion, discriminators, defaults, views and hierarchies. */
export const FIXED: Readonly<Record<string, Schema>> = {
  Tree: {
    type: "object",
    required: ["a"],
    properties: {
      a: { type: "string" },
      left: refer("Tree"),
      right: { anyOf: [refer("Tree"), { type: "null" }] },
    },
  },
  Cat: { type: "object", required: ["kind"], properties: { kind: { const: "cat" }, a: { type: "integer" } } },
  Dog: {
    type: "object",
    required: ["kind", "b"],
    properties: { kind: { type: "string" }, b: { type: "boolean", default: true }, friend: refer("Pet") },
  },
  Pet: {
    oneOf: [refer("Cat"), refer("Dog")],
    discriminator: { propertyName: "kind", mapping: { dog: "#/components/schemas/Dog" } },
  },
  Settings: {
    type: "object",
    properties: {
      a: { type: "string", default: "abc" },
      b: { type: "object", default: {}, properties: { a: { type: "integer", default: 7 } } },
      kind: { anyOf: [refer("Account"), refer("Cat")] },
    },
    additionalProperties: false,
  },
  Account: {
    type: "object",
    required: ["a", "items"],
    properties: {
      a: { type: "integer", readOnly: true },
      b: { type: "string", writeOnly: true },
      items: { type: "array", items: refer("Settings"), uniqueItems: true },
      kind: { type: "string", default: "cat" },
    },
  },
  Base: {
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" } },
    discriminator: { propertyName: "kind" },
  },
  Heir: {
    allOf: [
      refer("Base"),
      { type: "object", properties: { a: { type: "integer" } }, unevaluatedProperties: false },
    ],
  },
};

/** Makes a schema of OpenAPI 3.1 from all keywords that Tenon supports. */
export function createSchema(random: Random, depth = 3): Schema {
  const inner = () => createSchema(random, depth - 1);
  const maybe = (odds: number, part: () => object): object => (random(odds) === 0 ? part() : {});
  const members = () =>
    Object.fromEntries(NAMES.filter(() => random(3) === 0).map((name) => [name, inner()]));
  const names = () => NAMES.filter(() => random(4) === 0);
  const leaf = (): Schema =>
    pick<() => Schema>(
      [
        () => random(8) > 0,
        () => refer(pick(COMPONENTS, random)),
        () => ({ type: pick(TYPES, random), ...maybe(6, () => ({ default: pick(TEXTS, random) })) }),
        () => ({ type: [...new Set([pick(TYPES, random), pick(TYPES, random)])] }),
        () => ({ enum: [createValue(random, 1), createValue(random, 1)] }),
        () => ({ const: createValue(random, 1) }),
        () => ({
          ...maybe(2, () => ({ type: pick(["integer", "number"], random) })),
          ...maybe(3, () => ({ minimum: pick(NUMBERS, random) })),
          ...maybe(3, () => ({ maximum: pick(NUMBERS, random) })),
          ...maybe(4, () => ({ exclusiveMinimum: pick(NUMBERS, random) })),
          ...maybe(4, () => ({ exclusiveMaximum: pick(NUMBERS, random) })),
          ...maybe(4, () => ({ multipleOf: pick([1, 2, 0.1, 0.01, 3], random) })),
          ...maybe(4, () => ({ format: pick(FORMATS, random) })),
        }),
        () => ({
          ...maybe(2, () => ({ type: "string" })),
          ...maybe(4, () => ({ minLength: random(4) })),
          ...maybe(4, () => ({ maxLength: random(4) })),
          ...maybe(4, () => ({ pattern: pick(PATTERNS, random) })),
          ...maybe(2, () => ({ format: pick(FORMATS, random) })),
        }),
      ],
      random,
    )();
  if (depth <= 0 || random(5) === 0) return leaf();
  const parts: readonly (() => object)[] = [
    () => ({
      ...maybe(2, () => ({ type: "object" })),
      properties: members(),
      ...maybe(2, () => ({ required: names() })),
      ...maybe(4, () => ({ additionalProperties: inner() })),
      ...maybe(4, () => ({ patternProperties: { [pick(PATTERNS, random)]: inner() } })),
      ...maybe(5, () => ({ propertyNames: inner() })),
      ...maybe(5, () => ({ minProperties: random(3), maxProperties: random(4) })),
      ...maybe(5, () => ({ dependentRequired: { [pick(NAMES, random)]: names() } })),
      ...maybe(5, () => ({ dependentSchemas: { [pick(NAMES, random)]: inner() } })),
      ...maybe(5, () => ({ unevaluatedProperties: inner() })),
    }),
    () => ({
      ...maybe(2, () => ({ type: "array" })),
      ...maybe(2, () => ({ items: inner() })),
      ...maybe(3, () => ({ prefixItems: [inner(), inner()] })),
      ...maybe(4, () => ({ minItems: random(3) })),
      ...maybe(4, () => ({ maxItems: random(3) })),
      ...maybe(3, () => ({ uniqueItems: true })),
      ...maybe(4, () => ({
        contains: inner(),
        ...maybe(2, () => ({ minContains: random(3) })),
        ...maybe(3, () => ({ maxContains: random(3) })),
      })),
      ...maybe(4, () => ({ unevaluatedItems: inner() })),
    }),
    () => ({ allOf: [inner(), inner()] }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({ oneOf: [inner(), inner(), ...(random(3) === 0 ? [inner()] : [])] }),
    () => ({ anyOf: [inner(), { type: "null" }] }),
    () => ({ not: inner() }),
    () => ({ if: inner(), ...maybe(2, () => ({ then: inner() })), ...maybe(2, () => ({ else: inner() })) }),
    () => refer(pick(COMPONENTS, random)),
  ];
  return Object.assign(
    {},
    pick(parts, random)(),
    maybe(3, pick(parts, random)),
    maybe(6, pick(parts, random)),
  ) as Schema;
}

/** Makes a JSON value of the names and texts that schemas have. */
export function createValue(random: Random, depth = 3): unknown {
  const inner = () => createValue(random, depth - 1);
  switch (random(depth > 0 ? 8 : 4)) {
    case 0:
      return pick([null, true, false], random);
    case 1:
      return pick(NUMBERS, random);
    case 2:
    case 3:
      return pick(TEXTS, random);
    case 4:
      return Array.from({ length: random(4) }, inner);
    case 5:
      return [0, 0].map(inner);
    default:
      return Object.fromEntries(NAMES.filter(() => random(2) === 0).map((name) => [name, inner()]));
  }
}
