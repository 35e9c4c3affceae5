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

/** The dialects of OpenAPI 3.1 and 3.2, and JSON Schema 2020-12, which they extend. */
const DIALECT =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.*)#?$/;

const ONLY_DIALECT = "Schemas are read as JSON Schema 2020-12 with OpenAPI's keywords.";

/** A problem that is reported once for its key. */
interface Finding {
  readonly key: string;
  readonly message: string;
  readonly location: LocationObject;
}

/**
 * Reports unknown schema keywords, other dialects and `xml` of OpenAPI 3.1. The misspelling of a known keyword is reported everywhere, anything
 * else once. The known keywords are those of Redocly's rule `struct`, so this rule reads the document, not the model.
 */
export const schemaKeywordKnown: Oas3Rule = (options) => {
  const { allow = [], others } = options as Partial<SchemaKeywordKnownOptions>;
  const seen = new Set<string>();
  const reportOnce = (context: UserContext, { key, ...problem }: Finding): void => {
    if (others === "off" || seen.has(key)) return;
    seen.add(key);
    context.report({ ...problem, ...(others && { forceSeverity: others }) });
  };
  /** Reports the value of a known key that has no effect. */
  const reportValue = (context: UserContext, key: string, what: string): void => {
    if (allow.includes(key)) return;
    const message = `\`${key}\` ${what}`;
    reportOnce(context, { key: message, message, location: context.location.child([key]) });
  };
  const checkDialect = (context: UserContext, key: string, dialect: unknown): void => {
    if (typeof dialect !== "string" || DIALECT.test(dialect)) return;
    reportValue(context, key, `"${dialect}" is not applied. ${ONLY_DIALECT}`);
  };
  return {
    Root(node: unknown, context: UserContext) {
      if (context.specVersion === "oas3_0" || !isNode(node)) return;
      checkDialect(context, "jsonSchemaDialect", node["jsonSchemaDialect"]);
    },
    Schema(node: unknown, context: UserContext) {
      const { type, specVersion } = context;
      if (specVersion === "oas3_0" || !isNode(node)) return;
      checkDialect(context, "$schema", node["$schema"]);
      if (node["xml"] !== undefined) reportValue(context, "xml", "is not applied. Bodies of XML are text.");
      const known = Object.keys(type.properties);
      for (const keyword of Object.keys(node)) {
        if (keyword.startsWith("x-") || allow.includes(keyword) || known.includes(keyword)) continue;
        const message = `Unknown schema keyword \`${keyword}\` has no effect.`;
        const only = REPLACED_KEYWORDS.get(keyword) ?? findOnly(keyword, known);
        const meant = only === undefined ? [...listNear(keyword, known)] : [only];
        const location = context.location.child([keyword]).key() as LocationObject;
        if (meant.length > 0) context.report({ message, suggest: meant, location });
        else {
          const advice = `Write \`x-${keyword}\`, or list it in the rule's option \`allow\`.`;
          reportOnce(context, { key: keyword, message: `${message} ${advice}`, location });
        }
      }
    },
  };
};
