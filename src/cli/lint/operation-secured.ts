import type { Oas3SecurityRequirement, Oas3Visitor } from "@redocly/openapi-core";
import { isNode, itemsOf } from "./node.js";
import { onKey } from "./on-key.js";

/**
 * Nobody reaches an operation without a credential: its security, or else the document's, has at least one alternative, and none of
 * them is `{}`. The built-in `security-defined` accepts both `security: []` and `security: [{}]`.
 * @see https://spec.openapis.org/oas/v3.1.0#security-requirement-object
 */
export function operationSecured(): Oas3Visitor {
  let inherited: readonly Oas3SecurityRequirement[] | undefined;

  return {
    Root(root) {
      inherited = root.security;
    },
    Paths: {
      PathItem: {
        Operation(operation, context) {
          const { location } = context;
          if (!isNode(operation)) return;
          const alternatives = itemsOf(operation.security ?? inherited);
          const anonymous = alternatives.find(([, requirement]) => Object.keys(requirement).length === 0);
          if (alternatives.length > 0 && anonymous === undefined) return;

          const found = anonymous === undefined ? "no security" : "`{}`, which lets everybody in";
          context.report({
            message: `Expected every alternative of the operation's security to name a security scheme; found ${found}.`,
            location:
              operation.security === undefined
                ? onKey(location)
                : location.child(anonymous === undefined ? "security" : ["security", anonymous[0]]),
          });
        },
      },
    },
  };
}
