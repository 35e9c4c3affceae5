import type { LifecycleChangeName } from "./compare-lifecycles.js";
import type { SchemaRule } from "./schema-rule.js";

/** Differences between the lifecycles of schemas, properties among them, which leave the values as they are. */
export const LIFECYCLE_FACTS = {
  "schema-deprecated": { effect: "none", counterpart: "schema-undeprecated", text: "is deprecated" },
  "schema-undeprecated": {
    effect: "none",
    counterpart: "schema-deprecated",
    text: "is no longer deprecated",
  },
  "schema-sunset-added": { effect: "none", counterpart: "schema-sunset-removed", text: "is to end" },
  "schema-sunset-removed": {
    effect: "none",
    counterpart: "schema-sunset-added",
    text: "is no longer to end",
  },
  "schema-sunset-earlier": {
    effect: "none",
    counterpart: "schema-sunset-later",
    request: "breaking",
    response: "breaking",
    text: "is to end earlier",
  },
  "schema-sunset-later": { effect: "none", counterpart: "schema-sunset-earlier", text: "is to end later" },
  "schema-deprecated-since-changed": {
    effect: "none",
    counterpart: "schema-deprecated-since-changed",
    text: "is deprecated since another day",
  },
  "schema-replacement-changed": {
    effect: "none",
    counterpart: "schema-replacement-changed",
    text: "is replaced by another",
  },
  "schema-stability-raised": {
    effect: "none",
    counterpart: "schema-stability-lowered",
    text: "has a higher level of stability",
  },
  "schema-stability-lowered": {
    effect: "none",
    counterpart: "schema-stability-raised",
    request: "breaking",
    response: "breaking",
    text: "has a lower level of stability",
  },
} as const satisfies Readonly<Record<`schema-${LifecycleChangeName}`, SchemaRule>>;
