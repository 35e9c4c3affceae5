import type { Side as Direction } from "tenon/core/schema";
import type { Level } from "../change.js";
import type { LifecycleChangeName } from "../lifecycle-changes.js";

/** Effect of a difference on the set of values: fewer, more, both, undecided, or the same. */
type Effect = "narrower" | "wider" | "either" | "unknown" | "none";

type SchemaCodeRow = readonly [
  effect: Effect,
  counterpart: string,
  /** Follows the name of the place in a sentence. */
  text: string,
  /** Levels that do not follow from the effect. */
  levels?: Readonly<Partial<Record<Direction, Level>>>,
];

const BREAKING = { request: "breaking", response: "breaking" } as const;

/** Differences between the lifecycles of schemas and properties. The set of values stays the same. */
const LIFECYCLE_CODES = {
  "schema-deprecated": ["none", "schema-undeprecated", "is deprecated"],
  "schema-undeprecated": ["none", "schema-deprecated", "is no longer deprecated"],
  "schema-sunset-added": ["none", "schema-sunset-removed", "got a sunset date"],
  "schema-sunset-removed": ["none", "schema-sunset-added", "lost its sunset date"],
  "schema-sunset-earlier": ["none", "schema-sunset-later", "has an earlier sunset date", BREAKING],
  "schema-sunset-later": ["none", "schema-sunset-earlier", "has a later sunset date"],
  "schema-deprecated-since-changed": [
    "none",
    "schema-deprecated-since-changed",
    "has another deprecation date",
  ],
  "schema-replacement-changed": ["none", "schema-replacement-changed", "has another replacement"],
  "schema-stability-raised": ["none", "schema-stability-lowered", "has a higher stability level"],
  "schema-stability-lowered": ["none", "schema-stability-raised", "has a lower stability level", BREAKING],
} as const satisfies Readonly<Record<`schema-${LifecycleChangeName}`, SchemaCodeRow>>;

/** Every difference between schemas. Each becomes two codes, one a direction: `request-enum-value-removed`. */
export const SCHEMA_CODES = {
  "type-removed": ["narrower", "type-added", "has fewer types"],
  "type-added": ["wider", "type-removed", "has more types"],
  "type-changed": ["either", "type-changed", "has another type", BREAKING],
  "null-removed": ["narrower", "null-added", "is no longer null"],
  "null-added": ["wider", "null-removed", "can be null"],
  "enum-value-removed": ["narrower", "enum-value-added", "lost a value"],
  // Clients usually expect new values.
  "enum-value-added": ["wider", "enum-value-removed", "got a value", { response: "risky" }],
  "enum-added": ["narrower", "enum-removed", "is limited to certain values"],
  "enum-removed": ["wider", "enum-added", "is no longer limited to certain values"],
  "minimum-raised": ["narrower", "minimum-lowered", "has a higher minimum"],
  "minimum-lowered": ["wider", "minimum-raised", "has a lower minimum"],
  "maximum-lowered": ["narrower", "maximum-raised", "has a lower maximum"],
  "maximum-raised": ["wider", "maximum-lowered", "has a higher maximum"],
  "min-length-raised": ["narrower", "min-length-lowered", "has a higher minLength"],
  "min-length-lowered": ["wider", "min-length-raised", "has a lower minLength"],
  "max-length-lowered": ["narrower", "max-length-raised", "has a lower maxLength"],
  "max-length-raised": ["wider", "max-length-lowered", "has a higher maxLength"],
  "min-items-raised": ["narrower", "min-items-lowered", "has a higher minItems"],
  "min-items-lowered": ["wider", "min-items-raised", "has a lower minItems"],
  "max-items-lowered": ["narrower", "max-items-raised", "has a lower maxItems"],
  "max-items-raised": ["wider", "max-items-lowered", "has a higher maxItems"],
  "min-properties-raised": ["narrower", "min-properties-lowered", "has a higher minProperties"],
  "min-properties-lowered": ["wider", "min-properties-raised", "has a lower minProperties"],
  "max-properties-lowered": ["narrower", "max-properties-raised", "has a lower maxProperties"],
  "max-properties-raised": ["wider", "max-properties-lowered", "has a higher maxProperties"],
  "multiple-of-narrowed": ["narrower", "multiple-of-widened", "has a coarser multipleOf"],
  "multiple-of-widened": ["wider", "multiple-of-narrowed", "has a finer multipleOf"],
  "multiple-of-changed": ["either", "multiple-of-changed", "has another multipleOf", BREAKING],
  "format-narrowed": ["narrower", "format-widened", "has a narrower format"],
  "format-widened": ["wider", "format-narrowed", "has a wider format"],
  "format-changed": ["either", "format-changed", "has another format", BREAKING],
  "unknown-format-changed": [
    "unknown",
    "unknown-format-changed",
    "has another format, which is not a known one",
  ],
  "pattern-added": ["narrower", "pattern-removed", "must match a pattern"],
  "pattern-removed": ["wider", "pattern-added", "no longer needs to match a pattern"],
  "pattern-changed": ["unknown", "pattern-changed", "has another pattern"],
  "unique-items-added": ["narrower", "unique-items-removed", "must have unique items"],
  "unique-items-removed": ["wider", "unique-items-added", "may repeat items"],
  "optional-property-added": [
    "narrower",
    "optional-property-removed",
    "got the optional property",
    { request: "safe" },
  ],
  "optional-property-removed": [
    "wider",
    "optional-property-added",
    "lost the optional property",
    { request: "risky", response: "risky" },
  ],
  "required-property-added": ["narrower", "required-property-removed", "got the required property"],
  "required-property-removed": [
    "wider",
    "required-property-added",
    "lost the required property",
    { request: "risky" },
  ],
  "closed-property-added": [
    "wider",
    "closed-property-removed",
    "allowed no other properties and got the optional property",
    { response: "risky" },
  ],
  "closed-property-removed": [
    "narrower",
    "closed-property-added",
    "allows no other properties and lost the optional property",
    { response: "risky" },
  ],
  "closed-required-property-added": [
    "either",
    "closed-required-property-removed",
    "allowed no other properties and got the required property",
    { request: "breaking", response: "risky" },
  ],
  "closed-required-property-removed": [
    "narrower",
    "closed-required-property-added",
    "allows no other properties and lost the required property",
    BREAKING,
  ],
  "property-removed-after-sunset": [
    "either",
    "optional-property-added",
    "lost the property",
    { request: "safe", response: "safe" },
  ],
  "property-became-required": ["narrower", "property-became-optional", "now requires the property"],
  "property-became-optional": ["wider", "property-became-required", "no longer requires the property"],
  "property-became-read-only": [
    "wider",
    "property-no-longer-read-only",
    "no longer accepts the property, which became read-only:",
    { request: "breaking" },
  ],
  "property-no-longer-read-only": [
    "narrower",
    "property-became-read-only",
    "now accepts the property, which was read-only:",
    { request: "safe" },
  ],
  "property-became-write-only": [
    "wider",
    "property-no-longer-write-only",
    "no longer has the property, which became write-only:",
  ],
  "property-no-longer-write-only": [
    "narrower",
    "property-became-write-only",
    "now has the property, which was write-only:",
  ],
  "pattern-properties-added": [
    "unknown",
    "pattern-properties-removed",
    "describes the properties that match",
  ],
  "pattern-properties-removed": [
    "unknown",
    "pattern-properties-added",
    "no longer describes the properties that match",
  ],
  "additional-properties-forbidden": [
    "narrower",
    "additional-properties-allowed",
    "no longer allows undescribed properties",
  ],
  "additional-properties-allowed": [
    "wider",
    "additional-properties-forbidden",
    "allows undescribed properties",
    { response: "risky" },
  ],
  "alternative-removed": ["narrower", "alternative-added", "lost the alternative"],
  "alternative-added": ["wider", "alternative-removed", "got the alternative"],
  "one-of-overlap-changed": [
    "unknown",
    "one-of-overlap-changed",
    "has `oneOf` alternatives that overlap differently",
  ],
  "alternatives-not-compared": [
    "unknown",
    "alternatives-not-compared",
    "has too many alternatives to compare them all",
  ],
  "values-not-compared": [
    "unknown",
    "values-not-compared",
    "has values that cannot be checked against the other contract",
  ],
  "keyword-changed": ["unknown", "keyword-changed", "has a different"],
  "default-added": ["none", "default-removed", "got a default"],
  "default-removed": ["none", "default-added", "lost its default", { request: "risky" }],
  "default-changed": ["none", "default-changed", "has another default", { request: "risky" }],
  ...LIFECYCLE_CODES,
} as const satisfies Readonly<Record<string, SchemaCodeRow>>;

export type SchemaCode = keyof typeof SCHEMA_CODES;

export function effectOf(code: SchemaCode): Effect {
  return SCHEMA_CODES[code][0];
}

/** The level of a change: fewer values in requests, or more values in responses, break clients. */
export function levelOf(code: SchemaCode, direction: Direction): Level {
  const [effect, , , levels]: SchemaCodeRow = SCHEMA_CODES[code];
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
  "request-property-became-read-only": "Services may reject requests that contain it, or ignore its value.",
  "request-optional-property-added": "Requests without it stay valid.",
  "request-default-changed": "Requests without it now mean something else.",
  "request-default-removed": "The contract no longer says what requests without it mean.",
  "response-enum-value-added": "Clients can receive a value that they do not know.",
  "response-optional-property-removed": "Clients that use it no longer receive it.",
  "response-required-property-removed": "Clients that rely on it no longer receive it.",
  "response-closed-property-removed": "Clients that use it no longer receive it.",
  "response-closed-required-property-removed": "Clients that rely on it no longer receive it.",
  "response-closed-property-added": "The old contract ruled out other properties.",
  "response-closed-required-property-added": "The old contract ruled out other properties.",
  "response-additional-properties-allowed": "The old contract ruled out other properties.",
  "property-removed-after-sunset": "Its announced sunset date has passed.",
  "schema-sunset-earlier": "Clients were promised more time.",
  "schema-sunset-later": "Clients have more time than promised.",
  "schema-stability-lowered": "The contract promises less stability than before.",
  "schema-stability-raised": "The contract promises more stability than before.",
};

/** Explains what a change of a schema means for clients. */
export function explainSchema(code: SchemaCode, direction: Direction): string {
  const named = NAMED[`${direction}-${code}`] ?? NAMED[code];
  if (named !== undefined) return named;
  const [effect] = SCHEMA_CODES[code];
  if (effect === "none") return "The same values stay valid.";
  if (effect === "unknown") return "Tenon cannot compare these values; check the change yourself.";
  if (direction === "request")
    return effect === "wider"
      ? "Requests that were valid stay valid."
      : "Requests that were valid can be rejected.";
  return effect === "narrower"
    ? "Clients receive only what the old contract described."
    : "Clients can receive values that the old contract did not describe.";
}
