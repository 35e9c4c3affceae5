/** Components that {@link SCHEMAS} refer to. */
export const COMPONENTS = {
  Tree: {
    type: "object",
    required: ["name", "children"],
    properties: {
      name: { type: "string" },
      children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
      parent: { $ref: "#/components/schemas/Tree" },
    },
  },
  Expression: {
    oneOf: [
      {
        type: "object",
        required: ["left", "right"],
        properties: {
          left: { $ref: "#/components/schemas/Expression" },
          right: { $ref: "#/components/schemas/Expression" },
        },
        additionalProperties: false,
      },
      { type: "integer" },
    ],
  },
  Chain: {
    type: "object",
    required: ["next"],
    properties: { next: { anyOf: [{ $ref: "#/components/schemas/Chain" }, { type: "null" }] } },
  },
  Animal: {
    oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
    discriminator: {
      propertyName: "kind",
      mapping: { cat: "#/components/schemas/Cat", hound: "#/components/schemas/Dog" },
    },
  },
  Cat: {
    type: "object",
    required: ["kind", "lives"],
    properties: { kind: { type: "string" }, lives: { type: "integer", minimum: 1, maximum: 9 } },
  },
  Dog: {
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" }, loud: { type: "boolean" } },
  },
};

/** Schemas that generators of values often get wrong. */
export const SCHEMAS: readonly (readonly [what: string, schema: unknown])[] = [
  ["any value", true],
  ["bounds", { type: "integer", minimum: 9_007_199_254_740_000, maximum: 9_007_199_254_740_100 }],
  ["exclusive bounds", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.5 }],
  ["bounds without a hundredth between", { type: "number", minimum: 0.001, maximum: 0.002 }],
  ["negative bounds", { type: "integer", maximum: -5, multipleOf: 5 }],
  ["a multiple of cents", { type: "number", multipleOf: 0.05, minimum: 0.1, maximum: 0.9 }],
  ["int32", { type: "integer", format: "int32", minimum: 2_147_483_600 }],
  ["lengths", { type: "string", minLength: 30, maxLength: 32 }],
  [
    "a short name",
    { type: "object", required: ["email"], properties: { email: { type: "string", maxLength: 3 } } },
  ],
  ["a pattern", { type: "string", pattern: "^[A-Z]{2}-\\d{4}$" }],
  ["a pattern somewhere", { type: "string", pattern: "\\d\\." }],
  ["a pattern with a length", { type: "string", pattern: "^\\w+$", minLength: 3, maxLength: 5 }],
  ["a pattern of Unicode", { type: "string", pattern: "^\\p{Lu}{3}$" }],
  ["a pattern that is only valid without the flag", { type: "string", pattern: "^[a-z\\_]+$" }],
  ["a format with a pattern", { type: "string", format: "email", pattern: "@example\\.com$" }],
  ...["date", "date-time", "time", "email", "uri", "uuid", "ipv4", "ipv6", "byte"].map(
    (format) => [format, { type: "string", format }] as const,
  ),
  ["enum", { enum: [1, "a", null, { b: [2] }] }],
  ["enum of a type", { type: "string", enum: ["a", 1] }],
  ["const", { const: { deep: [true] } }],
  ["null", { type: ["string", "null"], minLength: 2 }],
  ["items", { type: "array", items: { type: "integer", minimum: 3, maximum: 5 }, minItems: 2, maxItems: 4 }],
  ["different items", { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, minItems: 3 }],
  [
    "different objects",
    {
      type: "array",
      items: {
        type: "object",
        required: ["a"],
        properties: { a: { type: "boolean" } },
        additionalProperties: false,
      },
      uniqueItems: true,
      minItems: 2,
    },
  ],
  [
    "a tuple",
    { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }], items: false, minItems: 2 },
  ],
  ["no items", { type: "array", items: { type: "integer" }, maxItems: 0 }],
  ["an item that cannot be", { type: "array", prefixItems: [{ type: "integer" }, false] }],
  ["contains", { type: "array", items: { type: "integer" }, contains: { const: 7 } }],
  ["required and nothing of it declared", { type: "object", required: ["x"] }],
  [
    "a map",
    { type: "object", additionalProperties: { type: "integer" }, minProperties: 2, maxProperties: 3 },
  ],
  [
    "names",
    {
      type: "object",
      propertyNames: { pattern: "^x-[a-z]+$" },
      additionalProperties: { type: "boolean" },
      minProperties: 1,
    },
  ],
  [
    "patterns of names",
    {
      type: "object",
      patternProperties: { "^\\d+$": { type: "string" } },
      additionalProperties: false,
      minProperties: 1,
    },
  ],
  [
    "most properties",
    { type: "object", required: ["c"], properties: { a: true, b: true, c: true }, maxProperties: 2 },
  ],
  [
    "__proto__",
    {
      type: "object",
      required: ["__proto__"],
      properties: Object.fromEntries([["__proto__", { type: "integer" }]]),
    },
  ],
  [
    "allOf",
    {
      allOf: [
        { type: "object", required: ["a"], properties: { a: { type: "integer", minimum: 5 } } },
        { properties: { a: { maximum: 6 }, b: { const: 1 } }, required: ["b"] },
      ],
    },
  ],
  [
    "exactly one",
    {
      oneOf: [
        { type: "integer", multipleOf: 3 },
        { type: "integer", multipleOf: 5 },
      ],
    },
  ],
  [
    "anyOf beside properties",
    {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
  ],
  ["not", { type: "integer", minimum: 1, maximum: 4, not: { const: 2 } }],
  [
    "if",
    {
      type: "object",
      required: ["country", "zip"],
      properties: { country: { enum: ["DE", "US"] }, zip: { type: "string" } },
      if: { properties: { country: { const: "DE" } } },
      then: { properties: { zip: { pattern: "^\\d{5}$" } } },
      else: { properties: { zip: { pattern: "^[A-Z]{3}$" } } },
    },
  ],
  [
    "what depends",
    {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      dependentRequired: { a: ["b"] },
      minProperties: 1,
    },
  ],
  ["a tree", { $ref: "#/components/schemas/Tree" }],
  ["an expression", { $ref: "#/components/schemas/Expression" }],
  ["a chain", { $ref: "#/components/schemas/Chain" }],
  ["a discriminator", { type: "array", items: { $ref: "#/components/schemas/Animal" }, minItems: 3 }],
  [
    "what responses lack",
    {
      type: "object",
      required: ["id", "password"],
      properties: { id: { type: "integer", readOnly: true }, password: { type: "string", writeOnly: true } },
    },
  ],
];
