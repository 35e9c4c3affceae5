import type { Side as Direction } from "tenon/core/schema";
import type { Level } from "../change.js";
import type { LifecycleChangeName } from "../lifecycle-changes.js";

/** Effect of a difference on the set of values: fewer, more, both, undecided, or the same. */
type Effect = "narrower" | "wider" | "either" | "unknown" | "none";

type SchemaCodeRow = readonly [
  effect: Effect,
  /** Follows the name of the place in a sentence. */
  text: string,
  /** Levels that do not follow from the effect. */
  levels?: Readonly<Partial<Record<Direction, Level>>>,
];

const BREAKING = { request: "breaking", response: "breaking" } as const;
const RISKY = { request: "risky", response: "risky" } as const;

/** Differences between the lifecycles of schemas and properties. The set of values stays the same. */
const LIFECYCLE_CODES = {
  "schema-deprecated": ["none", "is deprecated"],
  "schema-undeprecated": ["none", "is no longer deprecated"],
  "schema-sunset-added": ["none", "got a sunset date"],
  "schema-sunset-removed": ["none", "lost its sunset date", RISKY],
  "schema-sunset-earlier": ["none", "has an earlier sunset date", BREAKING],
  "schema-sunset-later": ["none", "has a later sunset date"],
  "schema-deprecated-since-changed": ["none", "has another deprecation date"],
  "schema-replacement-changed": ["none", "has another replacement"],
  "schema-stability-raised": ["none", "has a higher stability level"],
  "schema-stability-lowered": ["none", "has a lower stability level", BREAKING],
  "schema-lifecycle-invalid": ["none", "has an invalid", BREAKING],
  "schema-lifecycle-valid": ["none", "no longer has an invalid", RISKY],
} as const satisfies Readonly<Record<`schema-${LifecycleChangeName}`, SchemaCodeRow>>;

/** Every difference between schemas. Each becomes two codes, one a direction: `request-enum-value-removed`. */
export const SCHEMA_CODES = {
  "type-removed": ["narrower", "has fewer types"],
  "type-added": ["wider", "has more types"],
  "type-changed": ["either", "has another type", BREAKING],
  "null-removed": ["narrower", "is no longer null"],
  "null-added": ["wider", "can be null"],
  "enum-value-removed": ["narrower", "lost a value"],
  // Clients usually expect new values.
  "enum-value-added": ["wider", "got a value", { response: "risky" }],
  "enum-replaced": ["either", "has only other values", BREAKING],
  "enum-added": ["narrower", "is limited to certain values"],
  "enum-removed": ["wider", "is no longer limited to certain values"],
  "minimum-raised": ["narrower", "has a higher minimum"],
  "minimum-lowered": ["wider", "has a lower minimum"],
  "maximum-lowered": ["narrower", "has a lower maximum"],
  "maximum-raised": ["wider", "has a higher maximum"],
  "min-length-raised": ["narrower", "has a higher minLength"],
  "min-length-lowered": ["wider", "has a lower minLength"],
  "max-length-lowered": ["narrower", "has a lower maxLength"],
  "max-length-raised": ["wider", "has a higher maxLength"],
  "min-items-raised": ["narrower", "has a higher minItems"],
  "min-items-lowered": ["wider", "has a lower minItems"],
  "max-items-lowered": ["narrower", "has a lower maxItems"],
  "max-items-raised": ["wider", "has a higher maxItems"],
  "min-properties-raised": ["narrower", "has a higher minProperties"],
  "min-properties-lowered": ["wider", "has a lower minProperties"],
  "max-properties-lowered": ["narrower", "has a lower maxProperties"],
  "max-properties-raised": ["wider", "has a higher maxProperties"],
  "multiple-of-narrowed": ["narrower", "has a coarser multipleOf"],
  "multiple-of-widened": ["wider", "has a finer multipleOf"],
  "multiple-of-changed": ["either", "has another multipleOf", BREAKING],
  "format-narrowed": ["narrower", "has a narrower format"],
  "format-widened": ["wider", "has a wider format"],
  "format-changed": ["either", "has another format", BREAKING],
  "unknown-format-changed": ["unknown", "has another format, which is not a known one"],
  "pattern-added": ["narrower", "must match a pattern"],
  "pattern-removed": ["wider", "no longer needs to match a pattern"],
  "pattern-changed": ["unknown", "has another pattern"],
  "unique-items-added": ["narrower", "must have unique items"],
  "unique-items-removed": ["wider", "may repeat items"],
  "optional-property-added": ["narrower", "got the optional property", { request: "safe" }],
  "optional-property-removed": [
    "wider",
    "lost the optional property",
    { request: "risky", response: "risky" },
  ],
  "required-property-added": ["narrower", "got the required property"],
  "required-property-removed": ["wider", "lost the required property", { request: "risky" }],
  "closed-property-added": [
    "wider",
    "allowed no other properties and got the optional property",
    { response: "risky" },
  ],
  "closed-property-removed": [
    "narrower",
    "allows no other properties and lost the optional property",
    { response: "risky" },
  ],
  "closed-required-property-added": [
    "either",
    "allowed no other properties and got the required property",
    { request: "breaking", response: "risky" },
  ],
  "closed-required-property-removed": [
    "narrower",
    "allows no other properties and lost the required property",
    BREAKING,
  ],
  "property-removed-after-sunset": ["either", "lost the property", { request: "safe", response: "safe" }],
  "property-became-required": ["narrower", "now requires the property"],
  "property-became-optional": ["wider", "no longer requires the property"],
  "property-became-read-only": [
    "wider",
    "no longer accepts the property, which became read-only:",
    { request: "breaking" },
  ],
  "property-no-longer-read-only": [
    "narrower",
    "now accepts the property, which was read-only:",
    { request: "safe" },
  ],
  "optional-property-became-read-only": [
    "wider",
    "no longer accepts the optional property, which became read-only:",
    { request: "risky" },
  ],
  "optional-property-became-write-only": [
    "wider",
    "no longer has the optional property, which became write-only:",
    { response: "risky" },
  ],
  "property-became-write-only": ["wider", "no longer has the property, which became write-only:"],
  "property-no-longer-write-only": ["narrower", "now has the property, which was write-only:"],
  "pattern-properties-added": ["unknown", "describes the properties that match"],
  "pattern-properties-removed": ["unknown", "no longer describes the properties that match"],
  "additional-properties-forbidden": ["narrower", "no longer allows undescribed properties"],
  "additional-properties-allowed": ["wider", "allows undescribed properties", { response: "risky" }],
  "alternative-removed": ["narrower", "lost the alternative"],
  "alternative-added": ["wider", "got the alternative"],
  "one-of-overlap-changed": ["unknown", "has `oneOf` alternatives that overlap differently"],
  "alternatives-not-compared": ["unknown", "has too many alternatives to compare them all"],
  "values-not-compared": ["unknown", "has values that cannot be checked against the other contract"],
  "keyword-tightened": ["narrower", "has a new or stricter"],
  "keyword-loosened": ["wider", "no longer has, or has a looser,"],
  "keyword-changed": ["unknown", "has a different"],
  "extensible-enum-added": ["none", "got a list of known values", { request: "risky" }],
  "extensible-enum-removed": ["none", "lost its list of known values"],
  "extensible-enum-value-added": ["none", "got a known value"],
  "extensible-enum-value-removed": ["none", "lost a known value", { request: "risky" }],
  "default-added": ["none", "got a default"],
  "default-removed": ["none", "lost its default", { request: "risky" }],
  "default-changed": ["none", "has another default", { request: "risky" }],
  ...LIFECYCLE_CODES,
} as const satisfies Readonly<Record<string, SchemaCodeRow>>;

export type SchemaCode = keyof typeof SCHEMA_CODES;

/** Tests whether a value has to show that a difference breaks clients, because keywords may restrict nothing. */
export function isUndecided(code: SchemaCode): boolean {
  return effectOf(code) === "unknown" || code === "keyword-tightened" || code === "keyword-loosened";
}

export function effectOf(code: SchemaCode): Effect {
  return SCHEMA_CODES[code][0];
}

/** The level of a change: fewer values in requests, or more values in responses, break clients. */
export function levelOf(code: SchemaCode, direction: Direction): Level {
  const [effect, , levels]: SchemaCodeRow = SCHEMA_CODES[code];
  const stated = levels?.[direction];
  if (stated !== undefined) return stated;
  if (effect === "none") return "safe";
  if (effect === "unknown" || effect === "either") return "risky";
  return (effect === "narrower") === (direction === "request") ? "breaking" : "safe";
}

const UNDESCRIBED = "The property is no longer described; services may ignore or reject it.";

const NAMED: Readonly<Record<string, string>> = {
  "request-optional-property-removed": UNDESCRIBED,
  "request-required-property-removed": UNDESCRIBED,
  "request-property-became-read-only": "Services may reject it, or ignore its value.",
  "request-optional-property-became-read-only": "Services may reject it, or ignore its value.",
  "response-optional-property-became-write-only": "Clients that use it no longer receive it.",
  "request-enum-replaced": "No value that was valid stays valid.",
  "response-enum-replaced": "Clients receive none of the values that they know.",
  "request-optional-property-added": "It may be omitted.",
  "request-default-changed": "Its absence now means something else.",
  "request-default-removed": "The contract no longer says what its absence means.",
  "request-extensible-enum-added": "Services may reject values that they do not know.",
  "request-extensible-enum-value-removed": "Services may reject a value that they no longer know.",
  "response-extensible-enum-value-added": "Clients must expect values that they do not know.",
  "response-enum-value-added": "Clients can receive a value that they do not know.",
  "response-optional-property-removed": "Clients that use it no longer receive it.",
  "response-required-property-removed": "Clients that rely on it no longer receive it.",
  "response-closed-property-removed": "Clients that use it no longer receive it.",
  "response-closed-required-property-removed": "Clients that rely on it no longer receive it.",
  "response-closed-property-added": "The old contract ruled out other properties.",
  "response-closed-required-property-added": "The old contract ruled out other properties.",
  "response-additional-properties-allowed": "The old contract ruled out other properties.",
  "property-removed-after-sunset": "Its announced sunset date has passed.",
  "schema-sunset-removed": "It stays deprecated without a sunset date.",
  "schema-sunset-earlier": "Clients were promised more time.",
  "schema-sunset-later": "Clients have more time than promised.",
  "schema-stability-lowered": "The contract promises less stability than before.",
  "schema-lifecycle-invalid": "The value cannot be read; it may promise clients less than before.",
  "schema-lifecycle-valid": "The old value could not be read: clients may have been promised something else.",
  "schema-stability-raised": "The contract promises more stability than before.",
};

/** The explanations of changes that break no client. */
export const SAFE: Readonly<Record<Direction, string>> = {
  request: "What was valid stays valid.",
  response: "Clients receive only what the old contract described.",
};

/** The explanation of a change that does not follow from its effect. */
export function explainOwn(code: SchemaCode, direction: Direction): string | undefined {
  return NAMED[`${direction}-${code}`] ?? NAMED[code];
}

/** Explains what a change of a schema means for clients. */
export function explainSchema(code: SchemaCode, direction: Direction): string {
  const named = explainOwn(code, direction);
  if (named !== undefined) return named;
  const [effect] = SCHEMA_CODES[code];
  if (effect === "none") return "The same values stay valid.";
  if (effect === "unknown")
    return "Breaking if Tenon finds a value that shows it; otherwise check the change yourself.";
  if ((effect === "wider") === (direction === "request") && effect !== "either") return SAFE[direction];
  return direction === "request"
    ? "What was valid can be rejected."
    : "Clients can receive values that the old contract did not describe.";
}
