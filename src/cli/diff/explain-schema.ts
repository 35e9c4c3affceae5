import { SCHEMA_FACTS, type SchemaFact } from "./schema-codes.js";
import type { SchemaRule } from "./schema-rule.js";
import type { Direction } from "./view.js";

const NOT_SEEN = "What was sent for it is no longer described, so that it may be ignored or refused.";

const NAMED: Readonly<Record<string, string>> = {
  "request-optional-property-removed": NOT_SEEN,
  "request-required-property-removed": NOT_SEEN,
  "request-property-became-read-only": "Requests that carry it may be refused, or what they say is ignored.",
  "request-optional-property-added": "Requests without it are as valid as before.",
  "request-default-changed": "Requests that leave it out now mean something else.",
  "request-default-removed": "What requests mean that leave it out is no longer said.",
  "response-enum-value-added": "Clients that know all values meet one that they do not know.",
  "response-optional-property-removed": "Clients that use it do not get it any more.",
  "response-required-property-removed": "Clients rely on it, and do not get it any more.",
  "response-closed-property-removed": "Clients that use it do not get it any more.",
  "response-closed-required-property-removed": "Clients rely on it, and do not get it any more.",
  "response-closed-property-added": "Clients were told that there is no other property.",
  "response-closed-required-property-added": "Clients were told that there is no other property.",
  "response-additional-properties-allowed": "Clients were told that there is no other property.",
  "property-removed-after-sunset": "Its last day was told, and is past.",
  "schema-sunset-earlier": "Clients were promised it for longer.",
  "schema-sunset-later": "It stays for longer than was promised.",
  "schema-stability-lowered": "What is promised is less than it was.",
  "schema-stability-raised": "What is promised is more than it was.",
};

/** What a change of a schema means to clients. */
export function explainSchema(fact: SchemaFact, direction: Direction): string {
  const named = NAMED[`${direction}-${fact}`] ?? NAMED[fact];
  if (named !== undefined) return named;
  const { effect }: SchemaRule = SCHEMA_FACTS[fact];
  if (effect === "none") return "The same values are valid as before.";
  if (effect === "unknown")
    return "It is not decided which values are valid before and after; compare them yourself.";
  const isRequest = direction === "request";
  if (effect === "either")
    return isRequest
      ? "Requests that were valid can be refused."
      : "Clients can get values that they were not told of.";
  if (effect === "narrower")
    return isRequest
      ? "Requests that were valid can be refused."
      : "Clients get nothing that they were not told of.";
  return isRequest ? "What was valid still is." : "Clients can get values that they were not told of.";
}
