import type { Location, UserContext } from "@redocly/openapi-core";
import { NON_STANDARD_FORMATS, type Schema, type SchemaRegistry, toJsonSchema } from "tenon/core/schema";
import type { RuleContext } from "./rule.js";

const BUILT_IN_RULE = "no-invalid-parameter-examples";

/**
 * Creates the validator of values. It calls Redocly's rule for the examples of parameters, so that one validator with one
 * configuration validates all examples.
 */
export function createValidate(registry: SchemaRegistry, context: UserContext): RuleContext["validate"] {
  // A rule compiles each schema once.
  const rules = new Map<string, BuiltInVisitor>();
  const schemas: Schema[] = [];
  const uris = new Map<Schema, string>();
  const toUri = (schema: Schema) => {
    const uri = uris.get(schema) ?? `tenon:${schemas.push(schema) - 1}`;
    uris.set(schema, uri);
    return uri;
  };
  return (value, schema, { side, allowAdditionalProperties = false }) => {
    const key = `${side} ${allowAdditionalProperties}`;
    const rule = rules.get(key) ?? findRule(context)({ allowAdditionalProperties });
    rules.set(key, rule);
    // The rule receives schemas by our own URIs and never follows a reference of the document.
    const resolve = ({ $ref: uri }: { readonly $ref: string }) => {
      const found = schemas[Number(uri.slice("tenon:".length))];
      const written =
        found &&
        toJsonSchema(found, {
          registry,
          side,
          toUri: (name) => toUri(registry.get(name)),
          ignoredFormats: NON_STANDARD_FORMATS,
        });
      const node = typeof written === "object" ? written : written === false ? { not: {} } : {};
      return { node, location: toLocation(uri) };
    };
    const messages: string[] = [];
    rule.Parameter.leave(
      { schema: { $ref: toUri(schema) }, example: value },
      {
        ...context,
        // The dialect of `toJsonSchema`.
        specVersion: "oas3_1",
        location: toLocation("tenon:"),
        resolve: resolve as UserContext["resolve"],
        report: ({ message }) => void messages.push(message),
      },
    );
    return messages;
  };
}

interface BuiltInVisitor {
  readonly Parameter: {
    leave(parameter: { readonly schema: object; readonly example: unknown }, context: UserContext): void;
  };
}

function findRule({ config }: UserContext): (options: object) => BuiltInVisitor {
  const rule = config?.plugins.find((plugin) => plugin.id === "")?.rules?.oas3?.[BUILT_IN_RULE];
  if (rule === undefined)
    throw new Error(`Expected Redocly to have the built-in rule ${BUILT_IN_RULE}; found none.`);
  return rule as unknown as (options: object) => BuiltInVisitor;
}

/** The members of a location that the rule reads. */
function toLocation(absolutePointer: string): Location {
  const location = { source: { absoluteRef: "tenon:" }, pointer: "", absolutePointer, child: () => location };
  return location as unknown as Location;
}
