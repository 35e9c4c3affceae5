import type { Location, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { createExampleCheck } from "./example-check.js";
import { isNode } from "./node.js";

const CONFORM = /^Example value must conform to the schema: (.*?)\.?$/s;

/** What is `readOnly` has a default all the same: the service's own. */
const NOT_SENT = "must NOT be present in request context";

interface Defaulted {
  readonly default?: unknown;
  readonly nullable?: unknown;
}

interface Wrong {
  readonly location: Location;
  readonly reason: string;
}

/**
 * A schema's `default` conforms to the schema. It is put in place of what a client omits and validated with the rest, so that a wrong
 * one in a parameter or request body is blamed on every caller: there it is an error. Elsewhere nothing comes of it: a warning.
 * @see https://spec.openapis.org/oas/v3.0.3#properties "the default value MUST conform to the defined type for the Schema Object"
 */
export function defaultConforms(): Oas3Visitor {
  const check = createExampleCheck({ allowAdditionalProperties: true });
  const wrong = new Map<string, Wrong>();
  /** Defaults that the service puts in, by pointer. */
  const used = new Set<string>();

  const use = {
    Schema(schema: Defaulted, { location }: UserContext) {
      if (hasDefault(schema)) used.add(location.absolutePointer);
    },
  };
  return {
    Schema(schema, context) {
      if (!hasDefault(schema) || isAllowedNull(schema, context)) return;
      const { location } = context;
      check(
        { schema, example: schema.default },
        {
          location,
          context,
          report: (message) => {
            // What else can be told is that the schema does not compile, which is no fault of the default's.
            const reason = CONFORM.exec(message)?.[1];
            if (reason !== undefined && !reason.startsWith(NOT_SENT))
              wrong.set(location.absolutePointer, { location, reason });
          },
        },
      );
    },
    Parameter: use,
    RequestBody: use,
    Root: {
      // Only here is it known which schemas requests have.
      leave(_root, context) {
        for (const [pointer, { location, reason }] of wrong) {
          context.report({
            message: `Expected \`default\` to conform to its schema; ${reason}.`,
            location: location.child("default"),
            ...(!used.has(pointer) && { forceSeverity: "warn" }),
          });
        }
      },
    },
  };
}

function hasDefault(schema: Defaulted): boolean {
  return isNode(schema) && schema.default !== undefined;
}

/** Of OpenAPI 3.0, where `nullable` counts beside `enum` and without `type` too: as its author meant it. */
function isAllowedNull(schema: Defaulted, { specVersion }: UserContext): boolean {
  return specVersion === "oas3_0" && schema.default === null && schema.nullable === true;
}
