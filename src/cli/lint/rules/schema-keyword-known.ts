import type { LocationObject, Oas3Rule, Plugin, UserContext } from "@redocly/openapi-core";
import { isNode } from "tenon/core/document";
import { REPLACED_KEYWORDS } from "tenon/core/schema";
import { findOnly, listNear } from "../../output/nearest.js";

export interface SchemaKeywordKnownOptions {
  /** Keywords to accept. Default: none. */
  readonly allow: readonly string[];
  /** Severity of keywords that are not similar to a known one. Default: the rule's. */
  readonly others: "error" | "warn" | "off";
}

/** Changes the types of nodes that the rule `struct` expects. */
export type Extend = NonNullable<NonNullable<Plugin["typeExtension"]>["oas3"]>;

/**
 * Lets `struct` accept unknown keywords in the schemas of OpenAPI 3.1: they are annotations.
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-4.3.1
 */
export const allowKeywords: Extend = (types, version) => {
  const { Schema: schema } = types;
  if (version === "oas3_0" || schema === undefined) return types;
  return { ...types, Schema: { ...schema, additionalProperties: () => null } };
};

/**
 * Reports unknown schema keywords of OpenAPI 3.1. The misspelling of a known keyword is reported everywhere, and any other keyword
 * once. The known keywords are those of Redocly's rule `struct`, so this rule reads the document, not the model.
 */
export const schemaKeywordKnown: Oas3Rule = (options) => {
  const { allow = [], others } = options as Partial<SchemaKeywordKnownOptions>;
  const seen = new Set<string>();
  return {
    Schema(node: unknown, context: UserContext) {
      const { type, specVersion } = context;
      if (specVersion === "oas3_0" || !isNode(node)) return;
      const known = Object.keys(type.properties);
      for (const keyword of Object.keys(node)) {
        if (keyword.startsWith("x-") || allow.includes(keyword) || known.includes(keyword)) continue;
        const message = `Unknown schema keyword \`${keyword}\` has no effect.`;
        const only = REPLACED_KEYWORDS.get(keyword) ?? findOnly(keyword, known);
        const meant = only === undefined ? [...listNear(keyword, known)] : [only];
        const location = context.location.child([keyword]).key() as LocationObject;
        if (meant.length > 0) context.report({ message, suggest: meant, location });
        else if (others !== "off" && !seen.has(keyword)) {
          seen.add(keyword);
          const advice = `Write \`x-${keyword}\`, or list it in the rule's option \`allow\`.`;
          const severity = others && { forceSeverity: others };
          context.report({ message: `${message} ${advice}`, location, ...severity });
        }
      }
    },
  };
};
