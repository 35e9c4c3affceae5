import type { LifecycleChangeName } from "../lifecycle-changes.js";
import type { SchemaRule } from "./schema-rule.js";

/** Differences between the lifecycles of schemas and properties. The set of values stays the same. */
export const SCHEMA_LIFECYCLE_CODES = {
  "schema-deprecated": { effect: "none", counterpart: "schema-undeprecated", text: "is deprecated" },
  "schema-undeprecated": {
    effect: "none",
    counterpart: "schema-deprecated",
    text: "is no longer deprecated",
  },
  "schema-sunset-added": { effect: "none", counterpart: "schema-sunset-removed", text: "got a sunset date" },
  "schema-sunset-removed": {
    effect: "none",
    counterpart: "schema-sunset-added",
    text: "lost its sunset date",
  },
  "schema-sunset-earlier": {
    effect: "none",
    counterpart: "schema-sunset-later",
    request: "breaking",
    response: "breaking",
    text: "has an earlier sunset date",
  },
  "schema-sunset-later": {
    effect: "none",
    counterpart: "schema-sunset-earlier",
    text: "has a later sunset date",
  },
  "schema-deprecated-since-changed": {
    effect: "none",
    counterpart: "schema-deprecated-since-changed",
    text: "has another deprecation date",
  },
  "schema-replacement-changed": {
    effect: "none",
    counterpart: "schema-replacement-changed",
    text: "has another replacement",
  },
  "schema-stability-raised": {
    effect: "none",
    counterpart: "schema-stability-lowered",
    text: "has a higher stability level",
  },
  "schema-stability-lowered": {
    effect: "none",
    counterpart: "schema-stability-raised",
    request: "breaking",
    response: "breaking",
    text: "has a lower stability level",
  },
} as const satisfies Readonly<Record<`schema-${LifecycleChangeName}`, SchemaRule>>;
