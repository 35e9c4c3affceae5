import { SCHEMA_CODES, type SchemaCode } from "./schema-codes.js";
import type { SchemaRule } from "./schema-rule.js";
import type { Side as Direction } from "tenon/core/schema";

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
  const { effect }: SchemaRule = SCHEMA_CODES[code];
  if (effect === "none") return "The same values stay valid.";
  if (effect === "unknown") return "Tenon cannot compare these values; check the change yourself.";
  const isRequest = direction === "request";
  if (effect === "either")
    return isRequest
      ? "Requests that were valid can be rejected."
      : "Clients can receive values that the old contract did not describe.";
  if (effect === "narrower")
    return isRequest
      ? "Requests that were valid can be rejected."
      : "Clients receive only what the old contract described.";
  return isRequest
    ? "Requests that were valid stay valid."
    : "Clients can receive values that the old contract did not describe.";
}
