/**
 * Options that a rule takes beside `severity` and `message`: Redocly's own rules, of the version in package.json, which ignore any
 * other; and ours. Rules that are not here take none; of other plugins' rules nothing is known.
 */
export const RULE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  "array-parameter-serialization": ["in"],
  "boolean-parameter-prefixes": ["prefixes"],
  "component-name-unique": ["parameters", "requestBodies", "responses", "schemas", "strategy"],
  "no-duplicated-tag-names": ["ignoreCase"],
  "no-http-verbs-in-paths": ["excludedPaths", "splitIntoWords"],
  "no-invalid-media-type-examples": ["allowAdditionalProperties"],
  "no-invalid-parameter-examples": ["allowAdditionalProperties"],
  "no-invalid-schema-examples": ["allowAdditionalProperties"],
  "operation-2xx-response": ["disallowDefault", "validateWebhooks"],
  "operation-4xx-problem-details-rfc7807": ["validateWebhooks"],
  "operation-4xx-response": ["validateWebhooks"],
  "path-http-verbs-order": ["order"],
  "path-segment-plural": ["exceptions", "ignoreLastPathSegment"],
  "request-mime-type": ["allowedValues"],
  "response-contains-header": ["names"],
  "response-contains-property": ["names"],
  "response-mime-type": ["allowedValues"],
  "security-defined": ["exceptions"],
  "security-scopes-defined": ["requireScopes"],
  "tags-alphabetical": ["ignoreCase"],
  "tenon/deprecation-named": ["required"],
  "tenon/error-body": ["schema"],
  "tenon/examples-conform": ["allowAdditionalProperties"],
  "tenon/sunset-ahead": ["today", "warnDays"],
};
